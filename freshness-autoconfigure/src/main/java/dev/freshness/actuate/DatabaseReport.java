/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.ReplicaState;
import java.util.Collections;
import java.util.LinkedHashMap;
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
        long now = System.nanoTime();
        Map<String, NodeReport> nodes = new LinkedHashMap<>();
        nodes.put(database.writerName(), NodeReport.ofWriter(state, now));
        for (int i = 0; i < state.replicas().size(); i++) {
            ReplicaState replica = state.replicas().get(i);
            nodes.put(replica.name(), NodeReport.ofReplica(state, replica, eventual, database.unmet(i, eventual), now));
        }
        return new DatabaseReport(Collections.unmodifiableMap(nodes));
    }
}
