/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.ReplicaState;

/**
 * When one node's next probe is due.
 *
 * <p>While nobody waits, a monitor interval after the end of the probe before. While somebody waits for a position, after
 * the time that the replica needs for it at its replay rate, from {@value #SHORTEST_NANOS} to {@value #LONGEST_NANOS}
 * nanoseconds after the beginning of the probe before; the shortest if the rate is unknown; twice as long after each probe
 * that shows the same position as the one before. At once when somebody joins or asks, which also ends the doubling.
 *
 * <p>Guarantees that in no second begin more than {@value #MOST_PER_SECOND} probes, whatever the reason.
 *
 * <p>Not thread-safe; confined to the thread that probes. Takes the time as an argument.
 */
final class ProbePacing {

    /** Between the beginnings of two probes, however urgent. */
    static final long SHORTEST_NANOS = 1_000_000;

    static final long LONGEST_NANOS = 20_000_000;

    static final int MOST_PER_SECOND = 200;

    /** So many may follow each other at the shortest distance; the others are spread over the second. */
    private static final int BURST = 40;

    private static final long SPREAD_NANOS = 1_000_000_000L / (MOST_PER_SECOND - BURST);

    private static final int MOST_DOUBLINGS = 5;

    private final long regularNanos;

    private long begun;

    private long ended;

    /** When the burst will be whole again. It may begin a probe as long as that lies less than a burst ahead. */
    private long spent;

    private int doublings;

    /**
     * Begins to pace; the first probe is due at once.
     *
     * @param regularNanos the monitor interval
     * @param now {@link System#nanoTime()}
     */
    ProbePacing(long regularNanos, long now) {
        this.regularNanos = regularNanos;
        this.begun = now - SHORTEST_NANOS;
        this.ended = now - regularNanos;
        this.spent = now;
    }

    /** A probe begins. */
    void begin(long now) {
        this.begun = now;
        this.spent = later(this.spent, now) + SPREAD_NANOS;
    }

    /**
     * A probe ended.
     *
     * @param moved whether it showed another position than the one before
     */
    void end(long now, boolean moved) {
        this.ended = now;
        this.doublings = moved ? 0 : Math.min(this.doublings + 1, MOST_DOUBLINGS);
    }

    /** Somebody new waits: the doubling begins again with the next probe. */
    void joined() {
        this.doublings = -1;
    }

    /** When the next probe is due if nobody waits. */
    long regular() {
        return later(this.ended + this.regularNanos, atMost());
    }

    /** When the next probe is due if somebody asks for one. */
    long soon() {
        return later(this.begun + SHORTEST_NANOS, atMost());
    }

    /**
     * When the next probe is due if somebody waits.
     *
     * @param bytes how far the replica is from the nearest position waited for, 0 if that is not known
     * @param rate its replay rate in bytes per second, or {@link ReplicaState#UNKNOWN_RATE}
     */
    long waiting(long bytes, long rate) {
        long interval = Math.min(LONGEST_NANOS, interval(bytes, rate) << Math.max(0, this.doublings));
        return later(earlier(this.begun + interval, this.ended + this.regularNanos), atMost());
    }

    private static long interval(long bytes, long rate) {
        if (bytes == 0 || rate < 0) {
            return SHORTEST_NANOS;
        }
        // A rate of 0 makes it infinite, which the cast turns into the greatest number.
        long needed = (long) (bytes * 1e9 / rate);
        return Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, needed));
    }

    private long atMost() {
        return this.spent - (BURST - 1) * SPREAD_NANOS;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }
}
