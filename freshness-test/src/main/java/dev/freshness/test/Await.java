/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Polls for a condition until a deadline. There is no other kind of waiting in this library. */
final class Await {

    static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);

    private static final long MAX_PAUSE_MILLIS = 20;

    private Await() {}

    /** One look at a condition: whether it holds, and what was seen, for the message. */
    record Look(boolean done, String seen) {

        static Look equal(String expected, @Nullable String actual) {
            return new Look(expected.equals(actual), String.valueOf(actual));
        }
    }

    /** Looks once. A failure to look counts as "not yet", since servers under test come and go. */
    @FunctionalInterface
    interface Probe {
        Look look() throws SQLException, IOException;
    }

    static void until(String awaited, Duration deadline, Supplier<String> context, Probe probe) {
        long end = System.nanoTime() + deadline.toNanos();
        long pauseMillis = 1;
        while (true) {
            String seen;
            Exception failure = null;
            try {
                Look look = probe.look();
                if (look.done()) {
                    return;
                }
                seen = look.seen();
            } catch (SQLException | IOException e) {
                seen = e.toString();
                failure = e;
            }
            if (System.nanoTime() - end >= 0) {
                throw new WaitTimeoutException(
                        "Waited " + deadline.toMillis() + " ms for " + awaited + "; last seen: " + seen + context.get(),
                        failure);
            }
            sleep(pauseMillis, awaited);
            pauseMillis = Math.min(MAX_PAUSE_MILLIS, pauseMillis * 2);
        }
    }

    private static void sleep(long millis, String awaited) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReplicatedPostgresException("Interrupted while waiting for " + awaited, e);
        }
    }
}
