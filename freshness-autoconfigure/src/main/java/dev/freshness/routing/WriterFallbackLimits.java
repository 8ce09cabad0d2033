/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import java.time.Duration;

/**
 * How many reads of one database may run on the writer at once because no replica met their contract.
 *
 * @param maxConcurrent the most of them, at least 1
 * @param reserveForHighPriority whether half of them, rounded down, is kept for contracts of high priority
 * @param maxWait how long a read waits at most to be one of them, not negative
 */
public record WriterFallbackLimits(int maxConcurrent, boolean reserveForHighPriority, Duration maxWait) {

    /** What goes with HikariCP's default size: 5 at once, for which others wait for up to 1 s. */
    public static final WriterFallbackLimits DEFAULT = new WriterFallbackLimits(5, false, Duration.ofSeconds(1));

    /**
     * @throws IllegalArgumentException if a value is not allowed
     */
    public WriterFallbackLimits {
        if (maxConcurrent < 1) {
            throw new IllegalArgumentException("maxConcurrent must be at least 1, was " + maxConcurrent);
        }
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("maxWait must not be negative, was " + maxWait);
        }
    }
}
