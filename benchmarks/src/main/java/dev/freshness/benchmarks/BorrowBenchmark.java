/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.NodePool;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.monitor.DatabaseWatch;
import dev.freshness.routing.RoutingListener;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.topology.DatabaseState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Borrow, one statement, commit, close: what a data source costs above the driver. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public class BorrowBenchmark {

    private final HikariDataSource pool = pool();

    private final List<NodePool> replicas =
            List.of(new NodePool("replica-1", pool()), new NodePool("replica-2", pool()));

    private final DataSource lazyRouter = lazyRouter(this.pool);

    private final DataSource routed = new FreshnessRoutingDataSource(
            "default",
            new NodePool("writer", this.pool),
            this.replicas,
            DatabaseWatch.unwatched(DatabaseState.unobserved("default", List.of("replica-1", "replica-2"), 1)),
            RoutingListener.NONE,
            WriteListener.NONE);

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    private final FreshnessContract authoritative = new FreshnessContract(
            FreshnessMode.AUTHORITATIVE_NOW, Duration.ofSeconds(30), Duration.ZERO, OnUnmet.WRITER, "BorrowBenchmark");

    private static HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(StubDatabase.create());
        return pool;
    }

    private static DataSource lazyRouter(DataSource pool) {
        AbstractRoutingDataSource router = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return "writer";
            }
        };
        router.setTargetDataSources(Map.of("writer", pool));
        router.afterPropertiesSet();
        LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy();
        lazy.setTargetDataSource(router);
        lazy.setDefaultAutoCommit(true);
        lazy.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        return lazy;
    }

    /** Closes the pools. */
    @TearDown
    public void close() {
        this.pool.close();
        this.replicas.forEach(replica -> ((HikariDataSource) replica.dataSource()).close());
    }

    private static boolean transaction(DataSource dataSource, boolean readOnly) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            if (readOnly) {
                connection.setReadOnly(true);
            }
            connection.setAutoCommit(false);
            boolean found;
            try (PreparedStatement statement = connection.prepareStatement("select 1");
                    ResultSet rows = statement.executeQuery()) {
                found = rows.next();
            }
            connection.commit();
            connection.setAutoCommit(true);
            return found;
        }
    }

    /**
     * The pool itself.
     *
     * @return whether there was a row
     * @throws SQLException never
     */
    @Benchmark
    public boolean plainHikari() throws SQLException {
        return transaction(this.pool, false);
    }

    /**
     * Spring's lazy proxy over a router, the usual way to route by transaction.
     *
     * @return whether there was a row
     * @throws SQLException never
     */
    @Benchmark
    public boolean lazyProxyOverRouter() throws SQLException {
        return transaction(this.lazyRouter, false);
    }

    /**
     * The routed data source without a contract.
     *
     * @return whether there was a row
     * @throws SQLException never
     */
    @Benchmark
    public boolean routed() throws SQLException {
        return transaction(this.routed, false);
    }

    /**
     * The routed data source under a contract, scope included.
     *
     * @return whether there was a row
     * @throws SQLException never
     */
    @Benchmark
    public boolean routedUnderContract() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                ThreadScope scope = ThreadScope.open(this.authoritative)) {
            return transaction(this.routed, true);
        }
    }
}
