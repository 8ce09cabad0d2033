/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import org.jspecify.annotations.Nullable;

/**
 * A replica as of its newest observation. Immutable and thread-safe.
 *
 * @param name the node's name, unique in its database
 * @param observation the newest observation, null before the first
 * @param freshAsOf {@link System#nanoTime()} of a moment whose commits the replica has all replayed; meaningful only if
 *     {@code freshnessKnown}
 * @param freshnessKnown whether such a moment is known
 */
public record ReplicaState(String name, @Nullable NodeObservation observation, long freshAsOf, boolean freshnessKnown) {

    /** A staleness bound that no contract meets. */
    public static final long UNKNOWN_STALENESS = Long.MAX_VALUE;

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
     * How old an answer of this replica can be at most.
     *
     * @param now {@link System#nanoTime()}
     * @return nanoseconds, or {@link #UNKNOWN_STALENESS}
     */
    public long stalenessBound(long now) {
        return this.freshnessKnown ? Math.max(0, now - this.freshAsOf) : UNKNOWN_STALENESS;
    }
}
