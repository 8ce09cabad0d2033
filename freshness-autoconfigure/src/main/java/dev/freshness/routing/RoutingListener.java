/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.FreshnessMode;

/**
 * Told of every decision on a unit under a contract, and of every catch-up wait, on the thread concerned. Must be quick and must not throw.
 */
@FunctionalInterface
public interface RoutingListener {

    /** Does nothing. */
    RoutingListener NONE = (database, mode, decision) -> {};

    /**
     * A unit was routed or refused.
     *
     * @param database the database
     * @param mode the mode of the contract in force
     * @param decision where it goes and why
     */
    void decided(String database, FreshnessMode mode, RoutingDecision decision);

    /**
     * A unit waited for a replica to catch up.
     *
     * @param database the database
     * @param outcome how the wait ended
     * @param nanos how long it took
     */
    default void waited(String database, WaitOutcome outcome, long nanos) {}
}
