/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.jdbc.PoolFigures;
import dev.freshness.routing.Reason;
import dev.freshness.routing.TakenOutReplicas;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A node as operators see it, from its newest observation. What is not known is null.
 *
 * @param configuredAs {@code writer} or {@code replica}
 * @param address its JDBC URL without user, password and parameters; left out of health
 * @param role {@code primary} or {@code standby} as observed, {@code unknown} without a live observation
 * @param timeline the timeline it writes or replays
 * @param position flush position of a primary, replay position of a standby
 * @param lagBytes how far a standby's replay is behind the writer's flush position
 * @param stalenessBound how old an answer of a replica can be at most
 * @param maxStaleness the bound that it is held against: {@code freshness.max-staleness}; a contract may say another
 * @param observationAge how long ago the observation was made
 * @param eligible whether a replica meets an EVENTUAL contract with the application's defaults
 * @param reason why not, as in the metrics
 * @param sqlState the SQLSTATE of a failed probe
 * @param message what a failed probe said
 * @param takenOut who took it out of rotation and until when, null if nobody did
 * @param pool how full its pool is
 */
public record NodeReport(
        String configuredAs,
        @Nullable String address,
        String role,
        @Nullable String timeline,
        @Nullable String position,
        @Nullable Long lagBytes,
        @Nullable Duration stalenessBound,
        @Nullable Duration maxStaleness,
        @Nullable Duration observationAge,
        @Nullable Boolean eligible,
        @Nullable String reason,
        @Nullable String sqlState,
        @Nullable String message,
        @Nullable TakenOut takenOut,
        @Nullable PoolFigures pool)
        implements OperationResponseBody {

    /**
     * A replica that an operator has taken out.
     *
     * @param reason why
     * @param until when it comes back by itself
     */
    public record TakenOut(String reason, Instant until) {

        static @Nullable TakenOut of(TakenOutReplicas.@Nullable TakenOut takenOut) {
            return takenOut == null
                    ? null
                    : new TakenOut(takenOut.reason(), takenOut.until().truncatedTo(ChronoUnit.SECONDS));
        }
    }

    static NodeReport ofWriter(DatabaseState state, @Nullable PoolFigures pool, long now) {
        NodeObservation observation = state.writer();
        return of(
                "writer",
                state,
                observation,
                now,
                null,
                null,
                null,
                null,
                writerReason(state, observation, now),
                null,
                pool);
    }

    private static @Nullable String writerReason(DatabaseState state, @Nullable NodeObservation observation, long now) {
        if (observation == null) {
            return state.replicas().isEmpty() ? Reason.NO_REPLICAS.tag() : Reason.NOT_OBSERVED.tag();
        }
        if (!state.isLive(observation, now)) {
            return Reason.NOT_OBSERVED.tag();
        }
        if (observation instanceof FailedObservation) {
            return Reason.PROBE_FAILED.tag();
        }
        return observation instanceof StandbyObservation ? Reason.WRITER_IN_RECOVERY.tag() : null;
    }

    static NodeReport ofReplica(
            DatabaseState state,
            ReplicaState replica,
            FreshnessContract eventual,
            @Nullable Reason unmet,
            TakenOutReplicas.@Nullable TakenOut takenOut,
            @Nullable PoolFigures pool,
            long now) {
        long staleness = replica.stalenessBound(now);
        return of(
                "replica",
                state,
                replica.observation(),
                now,
                lagBytes(state, replica),
                staleness == ReplicaState.UNKNOWN_STALENESS ? null : Duration.ofNanos(staleness),
                eventual.maxStaleness(),
                unmet == null,
                unmet == null ? null : unmet.tag(),
                TakenOut.of(takenOut),
                pool);
    }

    /** The same with its address, for those who may read the endpoint. */
    NodeReport at(@Nullable String where) {
        return new NodeReport(
                this.configuredAs,
                where,
                this.role,
                this.timeline,
                this.position,
                this.lagBytes,
                this.stalenessBound,
                this.maxStaleness,
                this.observationAge,
                this.eligible,
                this.reason,
                this.sqlState,
                this.message,
                this.takenOut,
                this.pool);
    }

    /** Bytes between the newest flush sample of the writer and the replica's newest replay position, null if unknown. */
    static @Nullable Long lagBytes(DatabaseState state, ReplicaState replica) {
        if (state.writer() instanceof PrimaryObservation primary
                && replica.observation() instanceof StandbyObservation standby
                && standby.knowsPosition()
                && standby.isOfHistory(primary.identity().systemIdentifier(), primary.timeline())) {
            return primary.flush().bytesPast(standby.replay());
        }
        return null;
    }

    private static NodeReport of(
            String configuredAs,
            DatabaseState state,
            @Nullable NodeObservation observation,
            long now,
            @Nullable Long lagBytes,
            @Nullable Duration stalenessBound,
            @Nullable Duration maxStaleness,
            @Nullable Boolean eligible,
            @Nullable String reason,
            @Nullable TakenOut takenOut,
            @Nullable PoolFigures pool) {
        String role = "unknown";
        Integer timeline = null;
        Lsn position = null;
        if (state.isLive(observation, now)) {
            if (observation instanceof PrimaryObservation primary) {
                role = "primary";
                timeline = primary.timeline();
                position = primary.flush();
            } else if (observation instanceof StandbyObservation standby) {
                role = "standby";
                timeline = standby.timeline() == 0 ? null : standby.timeline();
                position = standby.replay().equals(Lsn.ZERO) ? null : standby.replay();
            }
        }
        FailedObservation failed = observation instanceof FailedObservation failure ? failure : null;
        return new NodeReport(
                configuredAs,
                null,
                role,
                timeline == null ? null : Integer.toUnsignedString(timeline),
                position == null ? null : position.toString(),
                lagBytes,
                stalenessBound,
                maxStaleness,
                observation == null ? null : Duration.ofNanos(now - observation.sampledAt()),
                eligible,
                reason,
                failed == null ? null : failed.sqlState(),
                failed == null ? null : failed.message(),
                takenOut,
                pool);
    }
}
