/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.monitor.DatabaseWatch;
import dev.freshness.monitor.LsnMonitor;
import dev.freshness.monitor.MonitorSettings;
import dev.freshness.monitor.MonitoredNode;
import dev.freshness.monitor.ProbeListener;
import dev.freshness.routing.Reason;
import dev.freshness.routing.Rollout;
import dev.freshness.routing.RoutingListener;
import dev.freshness.routing.RoutingSettings;
import dev.freshness.routing.TakenOutReplicas;
import dev.freshness.routing.WriterFallbackBudget;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One database: its routed data source and the monitor that informs it.
 *
 * <p>A database without replicas has no monitor: everything runs on the writer, and nothing is probed.
 *
 * <p>Thread-safe. Owns the monitor, but not the pools.
 */
public final class FreshnessDatabase {

    private final String name;

    private final String writerName;

    private final DatabaseWatch watch;

    private final @Nullable LsnMonitor monitor;

    private final FreshnessRoutingDataSource dataSource;

    /**
     * Puts a database together; nothing runs before {@link #start}.
     *
     * @param name its name
     * @param writer the writer's pool
     * @param monitoredWriter the writer as the monitor reaches it; null is allowed if there are no replicas
     * @param replicas the replicas' pools
     * @param monitoredReplicas the replicas as the monitor reaches them, in the same order
     * @param settings how often to probe and how long to believe
     * @param routing how to choose among replicas, and how many reads may fall back to the writer at once
     * @param rollout for which sessions contracts are enforced
     * @param routingListener told of every decision
     * @param probeListener told of every probe
     * @param writeListener told of every write in a session
     */
    public FreshnessDatabase(
            String name,
            NodePool writer,
            @Nullable MonitoredNode monitoredWriter,
            List<NodePool> replicas,
            List<MonitoredNode> monitoredReplicas,
            MonitorSettings settings,
            RoutingSettings routing,
            Rollout rollout,
            RoutingListener routingListener,
            ProbeListener probeListener,
            WriteListener writeListener) {
        this.name = name;
        this.writerName = writer.name();
        DatabaseState unobserved = DatabaseState.unobserved(
                name,
                replicas.stream().map(NodePool::name).toList(),
                settings.observationTtl().toNanos());
        this.monitor = monitoredWriter == null || replicas.isEmpty()
                ? null
                : new LsnMonitor(
                        name,
                        monitoredWriter,
                        monitoredReplicas,
                        settings,
                        new DeadConnections(replicas, settings.observationTtl(), this::abortConnections, this::silent)
                                .andThen(probeListener));
        this.watch = this.monitor == null ? DatabaseWatch.unwatched(unobserved) : this.monitor;
        this.dataSource = new FreshnessRoutingDataSource(
                name, writer, replicas, this.watch, routing, rollout, routingListener, writeListener);
    }

    /** Begins to probe, if there is anything to probe. Can follow {@link #stop}. */
    public void start() {
        if (this.monitor != null) {
            this.monitor.start();
        }
    }

    private void silent(String replica) {
        this.dataSource.silent(replica);
    }

    private void abortConnections(ServerIdentity server) {
        this.dataSource.abortConnections(server);
    }

    /**
     * The database's name.
     *
     * @return for example {@code default}
     */
    public String name() {
        return this.name;
    }

    /**
     * The name of the node configured as the writer.
     *
     * @return for example {@code writer}
     */
    public String writerName() {
        return this.writerName;
    }

    /**
     * What is known now.
     *
     * @return the newest state
     */
    public DatabaseState state() {
        return this.watch.state();
    }

    /**
     * Tells whether a replica takes units now under a contract that owes to no writes.
     *
     * @param replica its index
     * @param contract the contract
     * @return null if it does, else why not
     */
    public @Nullable Reason unmet(int replica, FreshnessContract contract) {
        return this.dataSource.unmet(replica, contract);
    }

    /**
     * The replicas that an operator has taken out, by their indexes in {@link #state}.
     *
     * @return always the same object
     */
    public TakenOutReplicas takenOut() {
        return this.dataSource.takenOut();
    }

    /**
     * Whether there are replicas, without which nobody asks for floors.
     *
     * @return false if everything runs on the writer
     */
    public boolean hasReplicas() {
        return this.monitor != null;
    }

    /**
     * Whether the calling thread has begun a transaction on this database that may write, and has not ended it.
     *
     * @return false where there are no replicas
     */
    public boolean isInWriteTransaction() {
        return this.dataSource.isInWriteTransaction();
    }

    /**
     * Waits for a sample of the writer, taken on the monitor's connection. Holds no connection of a pool.
     *
     * @param begunAfter {@link System#nanoTime()}; the sample must have been begun later
     * @param nanos how long to wait at most, in nanoseconds
     * @return the sample, null if there is none in time, or if the thread was interrupted
     */
    public @Nullable PrimaryObservation awaitWriter(long begunAfter, long nanos) {
        PrimaryObservation newest = writerSampleAfter(begunAfter);
        if (newest == null && nanos > 0) {
            this.watch.probeSoon(Lease.WRITER);
            this.watch.await(state -> writerSampleAfter(begunAfter) != null, nanos);
            newest = writerSampleAfter(begunAfter);
        }
        return newest;
    }

    private @Nullable PrimaryObservation writerSampleAfter(long begunAfter) {
        PrimaryObservation newest = state().livePrimary(System.nanoTime());
        return newest != null && newest.sampledAt() - begunAfter > 0 ? newest : null;
    }

    /**
     * The data source for applications.
     *
     * @return always the same one
     */
    public FreshnessRoutingDataSource dataSource() {
        return this.dataSource;
    }

    /**
     * How many reads may fall back to the writer at once, and how many do.
     *
     * @return always the same one; never drawn on if there are no replicas
     */
    public WriterFallbackBudget fallbacks() {
        return this.dataSource.fallbacks();
    }

    /** Stops probing; can be started again. */
    public void stop() {
        if (this.monitor != null) {
            this.monitor.stop();
        }
    }
}
