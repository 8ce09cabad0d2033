/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.monitor.ProbeListener;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets go of a replica's pooled connections when the replica stops answering: they are most likely dead, and the pool
 * would find out one by one, each at the cost of a borrower.
 *
 * <p>Thread-safe.
 */
final class DeadConnections implements ProbeListener {

    private final List<NodePool> replicas;

    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    DeadConnections(List<NodePool> replicas) {
        this.replicas = List.copyOf(replicas);
    }

    @Override
    public void probed(String database, String node, NodeObservation observation, long nanos) {
        if (!(observation instanceof FailedObservation)) {
            this.failing.remove(node);
        } else if (this.failing.add(node)) {
            this.replicas.stream().filter(pool -> pool.name().equals(node)).forEach(NodePool::softEvict);
        }
    }

    ProbeListener andThen(ProbeListener next) {
        return (database, node, observation, nanos) -> {
            probed(database, node, observation, nanos);
            next.probed(database, node, observation, nanos);
        };
    }
}
