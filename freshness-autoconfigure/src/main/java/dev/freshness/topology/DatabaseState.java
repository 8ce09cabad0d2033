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
 */
public final class DatabaseState {

    /** So many replicas fit into a decision's bit set. */
    public static final int MAX_REPLICAS = 64;

    private final String database;

    private final @Nullable NodeObservation writer;

    private final List<ReplicaState> replicas;

    private final long observationTtlNanos;

    /** Counted once here, since states are published a few times a second and decisions are many. */
    private final long lagging;

    /**
     * Creates a state.
     *
     * @param database the database's name
     * @param writer the newest observation of the node configured as the writer, null before the first
     * @param replicas the replicas in the order of their configuration, at most {@link #MAX_REPLICAS}
     * @param observationTtlNanos how long an observation counts, in nanoseconds
     * @throws IllegalArgumentException if there are more than {@link #MAX_REPLICAS} replicas
     */
    public DatabaseState(
            String database, @Nullable NodeObservation writer, List<ReplicaState> replicas, long observationTtlNanos) {
        this.database = database;
        this.writer = writer;
        this.replicas = List.copyOf(replicas);
        this.observationTtlNanos = observationTtlNanos;
        if (this.replicas.size() > MAX_REPLICAS) {
            throw new IllegalArgumentException(
                    "A database can have at most " + MAX_REPLICAS + " replicas, got " + this.replicas.size());
        }
        this.lagging = lagging(this.replicas, observationTtlNanos);
    }

    private static long lagging(List<ReplicaState> replicas, long ttl) {
        long lagging = 0;
        for (int i = 0; i < replicas.size(); i++) {
            ReplicaState replica = replicas.get(i);
            if (replica.observation() instanceof StandbyObservation standby
                    && replica.freshnessKnown()
                    && standby.sampledAt() - replica.freshAsOf() > ttl) {
                lagging |= 1L << i;
            }
        }
        return lagging;
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
     * The database's name.
     *
     * @return for example {@code default}
     */
    public String database() {
        return this.database;
    }

    /**
     * The newest observation of the node configured as the writer.
     *
     * @return null before the first
     */
    public @Nullable NodeObservation writer() {
        return this.writer;
    }

    /**
     * The replicas.
     *
     * @return in the order of their configuration, unmodifiable
     */
    public List<ReplicaState> replicas() {
        return this.replicas;
    }

    /**
     * How long an observation counts.
     *
     * @return nanoseconds
     */
    public long observationTtlNanos() {
        return this.observationTtlNanos;
    }

    /**
     * The standbys that were further behind when last observed than an observation counts: reads that must be fresh can
     * hardly use them at the moment. Those of unknown staleness are not among them, nobody can use these.
     *
     * @return one bit each
     */
    public long laggingReplicas() {
        return this.lagging;
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
