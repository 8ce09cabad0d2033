/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import dev.freshness.wal.Lsn;
import org.jspecify.annotations.Nullable;

/**
 * A replica as of its newest observation. Immutable and thread-safe.
 *
 * @param name the node's name, unique in its database
 * @param observation the newest observation, null before the first
 * @param freshAsOf {@link System#nanoTime()} of a moment whose commits the replica has all replayed; meaningful only if
 *     {@code freshnessKnown}
 * @param freshnessKnown whether such a moment is known
 * @param replayRate how many bytes a second it was seen to replay while it was behind, 0 if it stood still, or
 *     {@link #UNKNOWN_RATE}
 */
public record ReplicaState(
        String name, @Nullable NodeObservation observation, long freshAsOf, boolean freshnessKnown, long replayRate) {

    /** A staleness bound that no contract meets. */
    public static final long UNKNOWN_STALENESS = Long.MAX_VALUE;

    /** A replica that was not seen to be behind for long enough: nothing is known to limit it. */
    public static final long UNKNOWN_RATE = -1;

    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * A replica whose replay rate is unknown.
     *
     * @param name the node's name
     * @param observation the newest observation, null before the first
     * @param freshAsOf see the record's component
     * @param freshnessKnown see the record's component
     */
    public ReplicaState(String name, @Nullable NodeObservation observation, long freshAsOf, boolean freshnessKnown) {
        this(name, observation, freshAsOf, freshnessKnown, UNKNOWN_RATE);
    }

    /**
     * A replica that has not been observed.
     *
     * @param name the node's name
     * @return its state
     */
    public static ReplicaState unobserved(String name) {
        return new ReplicaState(name, null, 0, false);
    }

    /**
     * The same replica with another replay rate.
     *
     * @param rate bytes per second, or {@link #UNKNOWN_RATE}
     * @return this or another state
     */
    public ReplicaState withReplayRate(long rate) {
        return rate == this.replayRate
                ? this
                : new ReplicaState(this.name, this.observation, this.freshAsOf, this.freshnessKnown, rate);
    }

    /**
     * How old an answer of this replica can be at most.
     *
     * @param now {@link System#nanoTime()}
     * @return nanoseconds, or {@link #UNKNOWN_STALENESS}
     */
    public long stalenessBound(long now) {
        return this.freshnessKnown ? Math.max(0, now - this.freshAsOf) : UNKNOWN_STALENESS;
    }

    /**
     * The least time from its newest observation on in which this replica replays up to a position, by all that is known.
     *
     * @param floor the position, of the replica's history
     * @return nanoseconds; 0 if it has replayed it, if its rate is unknown or if it is no standby;
     *     {@link Long#MAX_VALUE} if it stands still
     */
    public long leastNanosTo(Lsn floor) {
        if (this.replayRate < 0 || !(this.observation instanceof StandbyObservation standby)) {
            return 0;
        }
        long bytes = floor.bytesPast(standby.replay());
        if (bytes == 0) {
            return 0;
        }
        // A rate of 0 makes it infinite, which the cast turns into the greatest number.
        return (long) (bytes * NANOS_PER_SECOND / this.replayRate);
    }
}
