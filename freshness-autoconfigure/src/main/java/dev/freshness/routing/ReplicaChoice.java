/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.topology.DatabaseState;
import java.util.Collections;
import java.util.List;

/**
 * How to choose among the replicas that meet a contract. Immutable and thread-safe.
 *
 * @param strategy how to choose where nothing else prefers one
 * @param weights how much of the load each replica takes in relation to the others, from 1 to {@link #HEAVIEST}, in the
 *     order of the replicas; replicas beyond the end of the list have weight 1
 * @param sameZone the replicas in the application's own zone, one bit each; zero if there is no zone
 */
public record ReplicaChoice(Strategy strategy, List<Integer> weights, long sameZone) {

    /** The greatest weight. */
    public static final int HEAVIEST = 1000;

    /** The less loaded of two, all alike, no zones. */
    public static final ReplicaChoice DEFAULT = new ReplicaChoice(Strategy.LEAST_LOADED, List.of(), 0);

    /**
     * @throws IllegalArgumentException if there are too many weights or one is out of range
     */
    public ReplicaChoice {
        weights = List.copyOf(weights);
        if (weights.size() > DatabaseState.MAX_REPLICAS) {
            throw new IllegalArgumentException(
                    "There can be at most " + DatabaseState.MAX_REPLICAS + " weights, got " + weights.size());
        }
        if (!weights.isEmpty() && (Collections.min(weights) < 1 || Collections.max(weights) > HEAVIEST)) {
            throw new IllegalArgumentException("A weight must be from 1 to " + HEAVIEST + ", got " + weights);
        }
    }

    /** How to choose where nothing else prefers a replica. */
    public enum Strategy {

        /** The less loaded of two that are drawn by their weights. */
        LEAST_LOADED,

        /** One after the other, each as often as its weight says. */
        ROUND_ROBIN
    }
}
