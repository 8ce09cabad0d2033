/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything known about one database at one moment: what decisions are made on. Immutable and thread-safe; the monitor
 * publishes a new one after every probe.
 *
 * <p>What it does when it cannot know: an observation that is missing, failed or older than its time to live counts as
 * none.
 *
 * @param database the database's name
 * @param writer the newest observation of the node configured as the writer, null before the first
 * @param replicas the replicas in the order of their configuration, at most {@link #MAX_REPLICAS}
 * @param observationTtlNanos how long an observation counts, in nanoseconds
 */
public record DatabaseState(
        String database, @Nullable NodeObservation writer, List<ReplicaState> replicas, long observationTtlNanos) {

    /** So many replicas fit into a decision's bit set. */
    public static final int MAX_REPLICAS = 64;

    /**
     * @throws IllegalArgumentException if there are more than {@link #MAX_REPLICAS} replicas
     */
    public DatabaseState {
        replicas = List.copyOf(replicas);
        if (replicas.size() > MAX_REPLICAS) {
            throw new IllegalArgumentException(
                    "A database can have at most " + MAX_REPLICAS + " replicas, got " + replicas.size());
        }
    }

    /**
     * A database of which nothing has been observed.
     *
     * @param database its name
     * @param replicaNames the names of its replicas
     * @param observationTtlNanos how long an observation will count, in nanoseconds
     * @return its state
     */
    public static DatabaseState unobserved(String database, List<String> replicaNames, long observationTtlNanos) {
        return new DatabaseState(
                database,
                null,
                replicaNames.stream().map(ReplicaState::unobserved).toList(),
                observationTtlNanos);
    }

    /**
     * The observation of a replica if it is live and of a standby.
     *
     * @param replica one of the replicas
     * @param now {@link System#nanoTime()}
     * @return the observation, or null if nothing live is known or the node is not a standby
     */
    public @Nullable StandbyObservation liveStandby(ReplicaState replica, long now) {
        return replica.observation() instanceof StandbyObservation standby && isLive(standby, now) ? standby : null;
    }

    /**
     * The observation of the writer if it is live and of a primary.
     *
     * @param now {@link System#nanoTime()}
     * @return the observation, or null if nothing live is known or the node is in recovery
     */
    public @Nullable PrimaryObservation livePrimary(long now) {
        return this.writer instanceof PrimaryObservation primary && isLive(primary, now) ? primary : null;
    }

    /**
     * Whether the node configured as the writer is known to be in recovery.
     *
     * @param now {@link System#nanoTime()}
     * @return true only if a live observation says so
     */
    public boolean isWriterInRecovery(long now) {
        return this.writer instanceof StandbyObservation standby && isLive(standby, now);
    }

    /**
     * Whether an observation still counts.
     *
     * @param observation an observation, null for none
     * @param now {@link System#nanoTime()}
     * @return false if there is none or it is too old
     */
    public boolean isLive(@Nullable NodeObservation observation, long now) {
        return observation != null && now - observation.sampledAt() <= this.observationTtlNanos;
    }
}
