/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The account that runs the servers. PostgreSQL refuses to run as root, so a root JVM hands the servers to {@code nobody},
 * or, where that does not work, to a user namespace in which root is not root.
 *
 * @param prefix what comes before each server command
 * @param owner who must own the data directories, or null for the user of this JVM
 */
record ServerAccount(List<String> prefix, @Nullable UserPrincipal owner) {

    private static final Logger logger = LoggerFactory.getLogger(ServerAccount.class);

    private static final String UNPRIVILEGED = "nobody";
    private static final Duration PROBE_DEADLINE = Duration.ofSeconds(10);

    /**
     * Chooses the first way that can run the server program from the given directory.
     *
     * @param directory owned by the user of this JVM
     * @param program the server program
     */
    static ServerAccount choose(Path directory, Path program) throws IOException {
        if (!isRoot(directory)) {
            return new ServerAccount(List.of(), null);
        }
        List<String> failures = new ArrayList<>();
        for (ServerAccount candidate : candidates(directory)) {
            Commands.Result result = Commands.run(
                    candidate.command(List.of(program.toString(), "--version")), directory, PROBE_DEADLINE);
            if (result.succeeded()) {
                logger.debug("Servers run by {}", candidate.prefix);
                return candidate;
            }
            failures.add(candidate.prefix + ": " + result.output());
        }
        throw new ReplicatedPostgresException("PostgreSQL does not run as root, and no way was found to run " + program
                + " as somebody else: tried " + failures + ". Run the tests as an ordinary user, or install setpriv.");
    }

    private static boolean isRoot(Path directory) throws IOException {
        return directory.getFileSystem().supportedFileAttributeViews().contains("unix")
                && Integer.valueOf(0).equals(Files.getAttribute(directory, "unix:uid"));
    }

    private static List<ServerAccount> candidates(Path directory) {
        List<ServerAccount> candidates = new ArrayList<>();
        try {
            UserPrincipal owner =
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(UNPRIVILEGED);
            Commands.Result group = Commands.run(List.of("id", "-g", UNPRIVILEGED), directory, PROBE_DEADLINE);
            if (group.succeeded()) {
                candidates.add(new ServerAccount(
                        List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--regid=" + group.output(), "--clear-groups"),
                        owner));
            }
            candidates.add(new ServerAccount(List.of("runuser", "-u", UNPRIVILEGED, "--"), owner));
        } catch (IOException noSuchAccount) {
            logger.debug("No account {}", UNPRIVILEGED, noSuchAccount);
        }
        // Seen from inside, the user and all its files belong to "nobody"; seen from outside nothing changes.
        candidates.add(new ServerAccount(List.of("unshare", "-U"), null));
        return candidates;
    }

    List<String> command(List<String> command) {
        List<String> full = new ArrayList<>(prefix);
        full.addAll(command);
        return full;
    }

    /** Gives one file or directory to the account. */
    void own(Path path) throws IOException {
        if (owner != null) {
            Files.setOwner(path, owner);
        }
    }
}
