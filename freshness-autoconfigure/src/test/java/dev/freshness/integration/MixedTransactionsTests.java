/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.NodePool;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of all kinds at once: each stays on one backend, and the pools are afterwards as they were. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            ReplicatedApplication.WITHOUT_JPA,
            "freshness.wait-budget=2s",
            "spring.datasource.hikari.minimum-idle=1",
            "spring.datasource.hikari.maximum-pool-size=40"
        })
class MixedTransactionsTests extends ReplicationBed {

    private static final int TRANSACTIONS = 10_000;

    private static final int THREADS = 16;

    @Autowired
    FreshnessRoutingDataSource dataSource;

    @Autowired
    PlatformTransactionManager manager;

    @Autowired
    FreshnessOperations operations;

    @Autowired
    JdbcClient jdbc;

    private int backend() {
        return this.jdbc.sql("select pg_backend_pid()").query(Integer.class).single();
    }

    private void onOneBackend(Runnable inBetween) {
        int backend = backend();
        inBetween.run();
        assertThat(backend()).isEqualTo(backend);
    }

    private void update(int id) {
        this.jdbc
                .sql("insert into item values (?, 'mixed') on conflict (id) do update set name = 'mixed'")
                .param(id)
                .update();
    }

    private void transaction(int propagation, boolean readOnly, int isolation, Runnable work) {
        TransactionTemplate template = new TransactionTemplate(this.manager);
        template.setPropagationBehavior(propagation);
        template.setReadOnly(readOnly);
        template.setIsolationLevel(isolation);
        template.executeWithoutResult(status -> work.run());
    }

    private void readWrite(Runnable work) {
        transaction(TransactionDefinition.PROPAGATION_REQUIRED, false, TransactionDefinition.ISOLATION_DEFAULT, work);
    }

    private void readOnly(FreshnessMode mode, int isolation) {
        this.operations.read(mode, () -> {
            transaction(TransactionDefinition.PROPAGATION_REQUIRED, true, isolation, () -> onOneBackend(() -> {}));
            return null;
        });
    }

    private void one(Random random, int id) {
        switch (random.nextInt(10)) {
            case 0, 1 -> readOnly(FreshnessMode.EVENTUAL, TransactionDefinition.ISOLATION_DEFAULT);
            case 2 -> readOnly(FreshnessMode.EVENTUAL, TransactionDefinition.ISOLATION_REPEATABLE_READ);
            case 3 -> readOnly(FreshnessMode.READ_YOUR_WRITES, TransactionDefinition.ISOLATION_DEFAULT);
            case 4 -> readOnly(FreshnessMode.AUTHORITATIVE_NOW, TransactionDefinition.ISOLATION_SERIALIZABLE);
            case 5 -> readWrite(() -> onOneBackend(() -> update(id)));
            case 6 ->
                readWrite(() -> onOneBackend(() -> transaction(
                        TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                        false,
                        TransactionDefinition.ISOLATION_DEFAULT,
                        () -> onOneBackend(() -> update(id)))));
            case 7 ->
                new TransactionTemplate(this.manager).executeWithoutResult(status -> {
                    onOneBackend(() -> update(id));
                    status.setRollbackOnly();
                });
            case 8 ->
                readWrite(() -> onOneBackend(() -> transaction(
                        TransactionDefinition.PROPAGATION_NESTED,
                        false,
                        TransactionDefinition.ISOLATION_DEFAULT,
                        () -> update(id))));
            default -> withSettings();
        }
    }

    private void withSettings() {
        this.operations.read(FreshnessMode.EVENTUAL, () -> {
            try (Connection connection = this.dataSource.getConnection()) {
                connection.setSchema("pg_catalog");
                connection.setClientInfo("ApplicationName", "mixed");
                connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
                connection.setReadOnly(true);
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.executeQuery("select 1").close();
                }
                connection.rollback();
                return null;
            } catch (SQLException ex) {
                throw new IllegalStateException(ex);
            }
        });
    }

    @Test
    void eachStaysOnOneBackendAndLeavesThePoolsAsTheyWere() throws SQLException {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        try {
            for (int i = 0; i < THREADS; i++) {
                int client = i;
                clients.add(CompletableFuture.runAsync(() -> client(client), executor));
            }
            clients.forEach(CompletableFuture::join);
        } finally {
            executor.shutdownNow();
        }
        for (NodePool pool : this.dataSource.pools()) {
            HikariDataSource hikari = (HikariDataSource) pool.dataSource();
            await().atMost(DEADLINE).until(() -> hikari.getHikariPoolMXBean().getActiveConnections() == 0);
            assertConnectionsAreAsNew(hikari);
        }
    }

    private void client(int client) {
        Random random = new Random(client);
        try (ThreadScope request = ThreadScope.open(FreshnessSession.ofNewClient())) {
            for (int i = 0; i < TRANSACTIONS / THREADS; i++) {
                one(random, 100 + client);
            }
        }
        assertThat(ThreadScope.current()).isNull();
    }

    private static void assertConnectionsAreAsNew(HikariDataSource pool) throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = pool.getHikariPoolMXBean().getTotalConnections(); i > 0; i--) {
                all.add(pool.getConnection());
            }
            for (Connection connection : all) {
                assertThat(connection.getAutoCommit()).isTrue();
                assertThat(connection.isReadOnly()).isFalse();
                assertThat(connection.getHoldability()).isEqualTo(ResultSet.CLOSE_CURSORS_AT_COMMIT);
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
                assertThat(connection.getSchema()).isEqualTo("public");
                assertThat(connection.getClientInfo("ApplicationName")).isNotEqualTo("mixed");
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }
}
