/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.NodeObservation;

/**
 * Told of every probe, on the monitor's thread of that node. Must be quick; what it throws is logged and dropped.
 */
@FunctionalInterface
public interface ProbeListener {

    /** Does nothing. */
    ProbeListener NONE = (database, node, observation, nanos) -> {};

    /**
     * A probe ended.
     *
     * @param database the database
     * @param node the node's name
     * @param observation what the probe brought
     * @param nanos how long it took, in nanoseconds
     */
    void probed(String database, String node, NodeObservation observation, long nanos);
}
