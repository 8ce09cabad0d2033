/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.jdbc.NodePool;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.ReplicaState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A database as operators see it.
 *
 * @param nodes its nodes by name, the writer first
 */
public record DatabaseReport(Map<String, NodeReport> nodes) {

    /**
     * Reports on what was last observed. Asks no server.
     *
     * @param database the database
     * @param eventual the contract that replicas are held against
     * @return the report
     */
    static DatabaseReport of(FreshnessDatabase database, FreshnessContract eventual) {
        DatabaseState state = database.state();
        List<NodePool> pools = database.dataSource().pools();
        long now = System.nanoTime();
        Map<String, NodeReport> nodes = new LinkedHashMap<>();
        nodes.put(database.writerName(), NodeReport.ofWriter(state, pools.get(0).figures(), now));
        for (int i = 0; i < state.replicas().size(); i++) {
            ReplicaState replica = state.replicas().get(i);
            nodes.put(
                    replica.name(),
                    NodeReport.ofReplica(
                            state,
                            replica,
                            eventual,
                            database.unmet(i, eventual),
                            database.takenOut().takenOut(i, now),
                            pools.get(i + 1).figures(),
                            now));
        }
        return new DatabaseReport(Collections.unmodifiableMap(nodes));
    }

    /** The same with the nodes' addresses. */
    DatabaseReport withAddresses(FreshnessDatabase database) {
        Map<String, NodeReport> addressed = new LinkedHashMap<>();
        for (NodePool pool : database.dataSource().pools()) {
            NodeReport node = this.nodes.get(pool.name());
            if (node != null) {
                addressed.put(pool.name(), node.at(pool.address()));
            }
        }
        return new DatabaseReport(Collections.unmodifiableMap(addressed));
    }
}
