/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import java.time.Duration;

/**
 * How often the monitor probes and how long it believes what it saw.
 *
 * @param interval the pause between two probes of a node, more than zero
 * @param timeout the most a connect or an answer may take, more than zero
 * @param observationTtl how long an observation counts, at least three intervals and a timeout, so that one lost probe
 *     does not take a node out
 */
public record MonitorSettings(Duration interval, Duration timeout, Duration observationTtl) {

    /**
     * @throws IllegalArgumentException if a duration is not positive or the time to live is too short
     */
    public MonitorSettings {
        if (!isPositive(interval) || !isPositive(timeout)) {
            throw new IllegalArgumentException("interval and timeout must be more than zero");
        }
        if (observationTtl.compareTo(shortestTtl(interval, timeout)) < 0) {
            throw new IllegalArgumentException("observationTtl must be at least " + shortestTtl(interval, timeout));
        }
    }

    /**
     * The shortest time to live that goes with an interval and a timeout.
     *
     * @param interval the pause between two probes
     * @param timeout the most an answer may take
     * @return three intervals and a timeout
     */
    public static Duration shortestTtl(Duration interval, Duration timeout) {
        return interval.multipliedBy(3).plus(timeout);
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }
}
