/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import java.time.Duration;
import java.util.Objects;

/**
 * What routing is told once, at start. Immutable and thread-safe.
 *
 * @param choice how to choose among the replicas that meet a contract
 * @param floorLife how long a client's floor is sure to be known, more than zero. A replica that is further behind than
 *     this may lack a write that nobody knows of any more, so it is not read under
 *     {@link dev.freshness.FreshnessMode#READ_YOUR_WRITES} whatever the floor
 * @param fallback how many reads may fall back to the writer at once
 */
public record RoutingSettings(ReplicaChoice choice, Duration floorLife, WriterFallbackLimits fallback) {

    /** Replicas all alike, floors that are kept for good. */
    public static final RoutingSettings DEFAULT =
            new RoutingSettings(ReplicaChoice.DEFAULT, Duration.ofNanos(Long.MAX_VALUE), WriterFallbackLimits.DEFAULT);

    /**
     * @throws IllegalArgumentException if the life of floors is not positive or too long to count in nanoseconds
     */
    public RoutingSettings {
        Objects.requireNonNull(choice, "'choice' must not be null");
        Objects.requireNonNull(fallback, "'fallback' must not be null");
        if (floorLife.isNegative() || floorLife.isZero()) {
            throw new IllegalArgumentException("floorLife must be more than zero, was " + floorLife);
        }
        if (floorLife.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("floorLife must be at most 292 years, was " + floorLife);
        }
    }

    /**
     * Settings with the usual limits on fallbacks.
     *
     * @param choice how to choose among the replicas that meet a contract
     * @param floorLife how long a client's floor is sure to be known, more than zero
     * @throws IllegalArgumentException if the life of floors is not positive or too long to count in nanoseconds
     */
    public RoutingSettings(ReplicaChoice choice, Duration floorLife) {
        this(choice, floorLife, WriterFallbackLimits.DEFAULT);
    }
}
