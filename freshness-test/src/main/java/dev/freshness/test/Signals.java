/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sends signals to server processes. */
final class Signals {

    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final PostgresBundle bundle;
    private final ServerAccount account;
    private final Path directory;

    Signals(PostgresBundle bundle, ServerAccount account, Path directory) {
        this.bundle = bundle;
        this.account = account;
        this.directory = directory;
    }

    /** Sends a signal, {@code INT} for example. Processes that are already gone, or go meanwhile, are no failure. */
    void send(String signal, List<Long> pids) {
        for (List<String> command : commands(signal, pids)) {
            Commands.Result result = Commands.run(command, directory, DEADLINE);
            if (!result.succeeded() && pids.stream().allMatch(Signals::alive)) {
                throw new ReplicatedPostgresException(command + " failed: " + result.output());
            }
        }
    }

    private List<List<String>> commands(String signal, List<Long> pids) {
        List<List<String>> commands = new ArrayList<>();
        if (bundle.platform().windows()) {
            for (Long pid : pids) {
                commands.add(
                        account.command(List.of(bundle.program("pg_ctl").toString(), "kill", signal, pid.toString())));
            }
        } else if (!pids.isEmpty()) {
            // The shell's own kill, since small images have no program of that name.
            List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$@\"", "sh", signal));
            pids.forEach(pid -> command.add(pid.toString()));
            commands.add(command);
        }
        return commands;
    }

    /** Stops processes and returns when they have stopped: the signal alone takes effect a moment later. */
    void freeze(List<Long> pids) {
        if (bundle.platform().windows()) {
            throw new UnsupportedOperationException("Windows cannot freeze processes");
        }
        send("STOP", pids);
        for (Long pid : pids) {
            Await.until("process " + pid + " to be frozen", DEADLINE, () -> "", () -> {
                String state = state(pid);
                return new Await.Look(state.startsWith("T") || !alive(pid), state);
            });
        }
    }

    private String state(long pid) throws IOException {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        if (bundle.platform().linux()) {
            // The state comes after the program's name, which is in parentheses and may hold anything.
            String line = Files.readString(stat);
            return line.substring(line.lastIndexOf(')') + 1).strip();
        }
        return Commands.run(List.of("ps", "-o", "state=", "-p", Long.toString(pid)), directory, DEADLINE)
                .output();
    }

    static boolean alive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
