/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.FreshnessMode;

/**
 * Told of every decision on a unit under a contract, on the thread that made it. Must be quick and must not throw.
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
}
