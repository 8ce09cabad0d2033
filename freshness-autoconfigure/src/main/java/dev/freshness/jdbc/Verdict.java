/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessVerdict;
import dev.freshness.routing.Outcome;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.session.Floor;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.WalPosition;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a decision was made of, told only when somebody asks. Immutable. */
record Verdict(
        String writer, FreshnessContract contract, RoutingDecision decision, Floor floor, DatabaseState state, long now)
        implements Supplier<FreshnessVerdict> {

    @Override
    public FreshnessVerdict get() {
        ReplicaState replica = this.decision.isReplica() ? this.state.replicas().get(this.decision.replica()) : null;
        boolean refused = this.decision.outcome() == Outcome.REJECTED;
        NodeObservation observation = refused ? null : replica == null ? this.state.writer() : replica.observation();
        return new FreshnessVerdict(
                this.state.database(),
                this.contract.declaredBy(),
                this.contract.mode(),
                refused ? null : replica == null ? this.writer : replica.name(),
                this.floor instanceof Floor.At at ? at.position() : null,
                !(this.floor instanceof Floor.Unknown),
                position(observation),
                observation == null ? null : Duration.ofNanos(this.now - observation.sampledAt()),
                refused ? null : replica == null ? Duration.ZERO : stalenessBound(replica),
                this.decision.outcome().tag(),
                this.decision.reason().tag());
    }

    private static @Nullable WalPosition position(@Nullable NodeObservation observation) {
        if (observation instanceof PrimaryObservation primary) {
            return new WalPosition(primary.identity().systemIdentifier(), primary.timeline(), primary.insert());
        }
        return observation instanceof StandbyObservation standby && standby.knowsPosition()
                ? new WalPosition(standby.identity().systemIdentifier(), standby.timeline(), standby.replay())
                : null;
    }

    private @Nullable Duration stalenessBound(ReplicaState replica) {
        long bound = replica.stalenessBound(this.now);
        return bound == ReplicaState.UNKNOWN_STALENESS ? null : Duration.ofNanos(bound);
    }
}
