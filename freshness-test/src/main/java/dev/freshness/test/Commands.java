/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs short commands and prepares long-running ones. */
final class Commands {

    private static final String SETSID = "setsid";

    private Commands() {}

    record Result(int exitCode, String output) {

        boolean succeeded() {
            return exitCode == 0;
        }
    }

    /** A builder without PG* variables, which would change what the server programs do, and without an input. */
    static ProcessBuilder builder(List<String> command, Path directory) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(nullDevice());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return builder;
    }

    /**
     * Puts a long-running command into a session of its own, where there is the program for that: then a signal to the
     * process group of this JVM, as a terminal sends it, does not reach the command before this JVM has ended it.
     */
    static List<String> detached(List<String> command) {
        if (!onPath(SETSID)) {
            return command;
        }
        List<String> detached = new ArrayList<>(List.of(SETSID));
        detached.addAll(command);
        return detached;
    }

    private static boolean onPath(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .anyMatch(entry -> Files.isExecutable(Path.of(entry, program)));
    }

    static Result run(List<String> command, Path directory, Duration deadline) {
        Path output = null;
        try {
            // A file, since a pipe would be held open by any process which the command leaves behind.
            output = Files.createTempFile("freshness-command-", ".out");
            Process process =
                    builder(command, directory).redirectOutput(output.toFile()).start();
            if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new WaitTimeoutException(
                        command + " did not end within " + deadline.toMillis() + " ms: " + read(output), null);
            }
            return new Result(process.exitValue(), read(output));
        } catch (IOException e) {
            return new Result(-1, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReplicatedPostgresException("Interrupted while running " + command, e);
        } finally {
            if (output != null) {
                FileTrees.delete(output);
            }
        }
    }

    private static String read(Path output) throws IOException {
        return new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
    }

    private static File nullDevice() {
        return new File(Platform.current().windows() ? "NUL" : "/dev/null");
    }
}
