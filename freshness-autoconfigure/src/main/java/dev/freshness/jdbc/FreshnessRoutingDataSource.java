/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.monitor.DatabaseWatch;
import dev.freshness.routing.Reason;
import dev.freshness.routing.Rollout;
import dev.freshness.routing.RoutingListener;
import dev.freshness.routing.RoutingSettings;
import dev.freshness.routing.TakenOutReplicas;
import dev.freshness.routing.WriterFallbackBudget;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.ServerIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * The data source that applications use: hands out logical connections, each of which finds its own way to the writer or
 * to a replica for every transaction and every auto-commit statement.
 *
 * <p>Guarantees that {@link #getConnection()} does no I/O. Whoever asks for the target itself, as {@link #unwrap} and
 * {@link #isWrapperFor} do, asks outside of any unit and gets the writer.
 *
 * <p>What it does when it cannot know: work without a contract goes to the writer, and a contract is met only by a
 * replica that was observed to meet it.
 *
 * <p>Thread-safe. Does not own the pools.
 */
public final class FreshnessRoutingDataSource extends AbstractRoutingDataSource {

    private final NodePool writer;

    private final List<NodePool> replicas;

    private final WriterFallbackBudget fallbacks;

    private final UnitRouting routing;

    private final FloorRecorder floors;

    /**
     * Creates the data source with {@link RoutingSettings#DEFAULT}.
     *
     * @param database the name of the database
     * @param writer the writer's pool
     * @param replicas the replicas' pools, in the order of the replicas in {@link DatabaseState}
     * @param watch knows the newest state of the database; asked for every decision
     * @param listener told of every decision
     * @param writeListener told of every write in a session
     */
    public FreshnessRoutingDataSource(
            String database,
            NodePool writer,
            List<NodePool> replicas,
            DatabaseWatch watch,
            RoutingListener listener,
            WriteListener writeListener) {
        this(database, writer, replicas, watch, RoutingSettings.DEFAULT, Rollout.full(), listener, writeListener);
    }

    /**
     * Creates the data source.
     *
     * @param database the name of the database
     * @param writer the writer's pool
     * @param replicas the replicas' pools, in the order of the replicas in {@link DatabaseState}
     * @param watch knows the newest state of the database; asked for every decision
     * @param settings how to choose among replicas, and how many reads may fall back to the writer at once
     * @param rollout for which sessions contracts are enforced
     * @param listener told of every decision
     * @param writeListener told of every write in a session
     */
    public FreshnessRoutingDataSource(
            String database,
            NodePool writer,
            List<NodePool> replicas,
            DatabaseWatch watch,
            RoutingSettings settings,
            Rollout rollout,
            RoutingListener listener,
            WriteListener writeListener) {
        this.writer = writer;
        this.replicas = List.copyOf(replicas);
        this.fallbacks = new WriterFallbackBudget(settings.fallback());
        this.routing = new UnitRouting(database, writer, replicas, watch, settings, this.fallbacks, rollout, listener);
        this.floors = new FloorRecorder(database, !replicas.isEmpty(), writeListener);
        Map<Object, Object> targets = new LinkedHashMap<>();
        targets.put(writer.name(), writer.dataSource());
        replicas.forEach(replica -> targets.put(replica.name(), replica.dataSource()));
        setTargetDataSources(targets);
        setDefaultTargetDataSource(writer.dataSource());
        setLenientFallback(false);
        afterPropertiesSet();
    }

    /**
     * The pools behind this data source.
     *
     * @return the writer's, then the replicas' in order
     */
    public List<NodePool> pools() {
        return java.util.stream.Stream.concat(java.util.stream.Stream.of(this.writer), this.replicas.stream())
                .toList();
    }

    @Nullable
    Reason unmet(int replica, FreshnessContract contract) {
        return this.routing.unmetByAnyone(replica, contract);
    }

    /** Replicas that an operator has taken out. */
    TakenOutReplicas takenOut() {
        return this.routing.takenOut();
    }

    boolean isInWriteTransaction() {
        return this.routing.threads().isInWriteTransaction();
    }

    WriterFallbackBudget fallbacks() {
        return this.fallbacks;
    }

    /** A replica does not answer the monitor any more. */
    void silent(String replica) {
        for (int i = 0; i < this.replicas.size(); i++) {
            if (this.replicas.get(i).name().equals(replica)) {
                this.routing.connections().silent(i);
            }
        }
    }

    /** Cuts every connection to a server that does not answer any more. */
    void abortConnections(ServerIdentity server) {
        this.routing.connections().abort(server);
    }

    @Override
    protected Object determineCurrentLookupKey() {
        return this.writer.name();
    }

    @Override
    public Connection getConnection() {
        return new LogicalConnection(this.routing, this.floors);
    }

    /**
     * Not supported: a route leads to pools that have credentials of their own.
     *
     * @throws java.sql.SQLFeatureNotSupportedException always
     */
    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new java.sql.SQLFeatureNotSupportedException(
                "A routed data source takes its credentials from spring.datasource.* and freshness.replicas.*");
    }
}
