/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the servers of a JVM that was killed. A shell reads from a pipe whose other end only this JVM holds: whatever ends
 * the JVM closes the pipe, and then the shell stops the servers and removes the directory. There is none on Windows.
 */
final class Watchdog implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(Watchdog.class);

    /** Only built-in commands and rm, so that it runs in the smallest images. A signal to the whole group spares it. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            while read -r line; do
              [ "$line" = done ] && exit 0
            done
            for file in "$1"/*/frozen.pids; do
              [ -f "$file" ] && read -r pids < "$file" && kill -s CONT $pids
            done
            servers=
            for file in "$1"/*/data/postmaster.pid; do
              [ -f "$file" ] && read -r pid < "$file" && servers="$servers $pid"
            done
            [ -n "$servers" ] && kill -s QUIT $servers
            tries=0
            while [ -n "$servers" ] && [ $tries -lt 100 ]; do
              left=
              for pid in $servers; do
                kill -s 0 "$pid" && left="$left $pid"
              done
              servers=$left
              tries=$((tries + 1))
              [ -n "$servers" ] && sleep 0.1
            done
            [ -n "$servers" ] && kill -s KILL $servers
            rm -rf "$1"
            """;

    private final @Nullable Process process;

    private Watchdog(@Nullable Process process) {
        this.process = process;
    }

    static Watchdog start(Path directory, Platform platform) {
        if (platform.windows()) {
            return new Watchdog(null);
        }
        List<String> command =
                Commands.detached(List.of("sh", "-c", SCRIPT, "freshness-watchdog", directory.toString()));
        try {
            return new Watchdog(new ProcessBuilder(command)
                    .directory(directory.getRoot().toFile())
                    .redirectInput(Redirect.PIPE)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start());
        } catch (IOException e) {
            throw new ReplicatedPostgresException("Cannot run a shell to watch over the servers", e);
        }
    }

    /** Dismisses it: the servers have ended. */
    @Override
    public void close() {
        if (process == null) {
            return;
        }
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write("done\n".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            logger.debug("The watchdog has ended before", e);
        }
    }
}
