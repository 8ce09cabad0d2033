/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplayRate;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.WriterPositionRing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges the observations of all nodes into the state that decisions are made on.
 *
 * <p>Thread-safe: merging is serialised, reading is a volatile read. Owns no threads and no connections.
 */
final class ObservationBoard {

    /** The index of the writer; replicas count from 0. */
    static final int WRITER = -1;

    private final WriterPositionRing ring = new WriterPositionRing();

    private final List<ReplayRate> rates;

    private volatile DatabaseState state;

    ObservationBoard(DatabaseState unobserved, Duration interval) {
        this.state = unobserved;
        this.rates = unobserved.replicas().stream()
                .map(replica -> new ReplayRate(interval.toNanos()))
                .toList();
    }

    DatabaseState state() {
        return this.state;
    }

    synchronized DatabaseState accept(int node, NodeObservation observation) {
        DatabaseState before = this.state;
        @Nullable NodeObservation writer = node == WRITER ? observation : before.writer();
        if (node == WRITER && observation instanceof PrimaryObservation primary) {
            this.ring.add(primary);
            this.rates.forEach(rate -> rate.addWriter(primary));
        } else if (node != WRITER) {
            this.rates.get(node).addReplica(observation, System.nanoTime());
        }
        List<ReplicaState> replicas = new ArrayList<>(before.replicas().size());
        for (int i = 0; i < before.replicas().size(); i++) {
            ReplicaState replica = before.replicas().get(i);
            replicas.add(this.ring
                    .stateOf(replica.name(), i == node ? observation : replica.observation())
                    .withReplayRate(this.rates.get(i).bytesPerSecond()));
        }
        DatabaseState after = new DatabaseState(before.database(), writer, replicas, before.observationTtlNanos());
        this.state = after;
        return after;
    }
}
