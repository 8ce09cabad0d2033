/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.StandbyObservation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a node's trouble once when it begins and once when it ends: that it cannot be observed, and that a replica is a
 * primary. While a node cannot be observed nobody knows its role, so that trouble goes on until the node is seen as a
 * standby. For one thread.
 */
final class NodeLog {

    private static final Logger logger = LoggerFactory.getLogger(LsnMonitor.class);

    private final String database;

    private final String node;

    private final boolean replica;

    private boolean failing;

    private boolean primary;

    NodeLog(String database, String node, boolean replica) {
        this.database = database;
        this.node = node;
        this.replica = replica;
    }

    void observed(NodeObservation observation) {
        if (observation instanceof FailedObservation failed) {
            if (!this.failing) {
                this.failing = true;
                logger.warn(
                        "Node {} of database {} cannot be observed [{}]: {}",
                        this.node,
                        this.database,
                        failed.sqlState(),
                        failed.message());
            }
            return;
        }
        if (this.failing) {
            this.failing = false;
            logger.info("Node {} of database {} can be observed again", this.node, this.database);
        }
        if (this.replica) {
            observedRole(observation);
        }
    }

    private void observedRole(NodeObservation observation) {
        if (observation instanceof PrimaryObservation && !this.primary) {
            this.primary = true;
            logger.warn(
                    "freshness.replicas.{} of database {} is a primary, not a standby: no reads go there",
                    this.node,
                    this.database);
        } else if (observation instanceof StandbyObservation && this.primary) {
            this.primary = false;
            logger.info("freshness.replicas.{} of database {} is a standby now", this.node, this.database);
        }
    }
}
