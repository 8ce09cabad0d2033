/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.ContractConflictException;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.routing.RoutingListener;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Session state under contracts, connections that outlive their contract, and commits in another way than ours. */
@ReplicatedPostgresTest
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class KeptConnectionTests extends ReplicationBed {

    @Autowired
    FreshnessRoutingDataSource dataSource;

    @Autowired
    FreshnessOperations operations;

    @Autowired
    MeterRegistry meters;

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    private ThreadScope scope(FreshnessMode mode) {
        return ThreadScope.open(this.operations.contract(mode));
    }

    private static String single(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int activeOnWriter() {
        return ((HikariDataSource) this.dataSource.pools().get(0).dataSource())
                .getHikariPoolMXBean()
                .getActiveConnections();
    }

    private int active() {
        return this.dataSource.pools().stream()
                .map(pool -> ((HikariDataSource) pool.dataSource()).getHikariPoolMXBean())
                .mapToInt(pool -> pool == null ? 0 : pool.getActiveConnections())
                .sum();
    }

    @Test
    void aSettingUnderAContractIsThereForTheNextRead() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                ThreadScope scope = scope(FreshnessMode.EVENTUAL);
                Connection connection = this.dataSource.getConnection()) {
            for (int i = 0; i < 10; i++) {
                execute(connection, "set my.tenant = 't" + i + "'");
                assertThat(single(connection, "select current_setting('my.tenant')"))
                        .isEqualTo("t" + i);
                assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("t");
            }
            execute(connection, "reset my.tenant");
        }
    }

    @Test
    void whatMayHaveBeenSetOnAReplicaDoesNotMoveToTheWriter() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            try (ThreadScope scope = scope(FreshnessMode.EVENTUAL)) {
                execute(connection, "set my.tenant = 'mine'");
            }
            assertThat(connection.toString()).contains("replica-");
            try (ThreadScope scope = scope(FreshnessMode.AUTHORITATIVE_NOW)) {
                assertThatThrownBy(() -> single(connection, "select 1"))
                        .isInstanceOf(ContractConflictException.class)
                        .hasMessageContaining("replica-")
                        .hasMessageContaining("connection-init-sql");
            }
            assertThatThrownBy(() -> single(connection, "select 1")).isInstanceOf(ContractConflictException.class);
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> single(connection, "select 1")).isInstanceOf(ContractConflictException.class);
            // The transaction began without a contract: one that joins it does not send it to a replica.
            try (ThreadScope scope = scope(FreshnessMode.EVENTUAL)) {
                assertThatThrownBy(() -> single(connection, "select 1")).isInstanceOf(ContractConflictException.class);
            }
            connection.setAutoCommit(true);
            try (ThreadScope scope = scope(FreshnessMode.EVENTUAL)) {
                assertThat(single(connection, "select current_setting('my.tenant')"))
                        .isEqualTo("mine");
                execute(connection, "reset my.tenant");
            }
        }
        assertThat(active()).isZero();
    }

    @Test
    void aReplicaThatFallsBehindIsNotReadOnBecauseOfASetting() throws SQLException {
        pauseReplicas();
        try (ThreadScope request = ThreadScope.open(this.session);
                ThreadScope scope = scope(FreshnessMode.READ_YOUR_WRITES);
                Connection connection = this.dataSource.getConnection()) {
            execute(connection, "set my.tenant = 'mine'");
            assertThat(connection.toString()).contains("replica-");
            this.items.write(1, "new");
            assertThatThrownBy(() -> single(connection, "select name from item where id = 1"))
                    .isInstanceOf(ContractConflictException.class)
                    .hasMessageContaining("behind-floor");
        }
    }

    @Test
    void afterASettingOnTheWriterReadsStayThereWhichIsSaidOnce(CapturedOutput output) throws SQLException {
        // A source of its own: another test may have made the context's say it.
        FreshnessRoutingDataSource source = new FreshnessRoutingDataSource(
                "default",
                this.dataSource.pools().get(0),
                this.dataSource.pools().subList(1, 3),
                new StateOnly(this.database::state),
                RoutingListener.NONE,
                WriteListener.NONE);
        for (int i = 0; i < 2; i++) {
            try (ThreadScope request = ThreadScope.open(this.session);
                    Connection connection = source.getConnection()) {
                execute(connection, "set my.tenant = 'mine'");
                try (ThreadScope scope = scope(FreshnessMode.EVENTUAL)) {
                    assertThat(single(connection, "select current_setting('my.tenant')"))
                            .isEqualTo("mine");
                    assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("f");
                    connection.setReadOnly(true);
                    connection.setAutoCommit(false);
                    assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("f");
                    connection.commit();
                    connection.setAutoCommit(true);
                    connection.setReadOnly(false);
                }
                execute(connection, "reset my.tenant");
            }
        }
        assertThat(output.getOut().split("Settings of sessions belong on the pools", -1))
                .hasSize(2);
    }

    @Test
    void plainReadsAndChangesOfDataKeepNothing() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            execute(connection, "update item set name = 'x' where id = 1");
            execute(connection, "select 1");
            try (ThreadScope scope = scope(FreshnessMode.EVENTUAL)) {
                assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("t");
            }
            assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("f");
        }
    }

    @Test
    void aConnectionThatOutlivesItsContractHoldsNothingBetweenStatements() throws SQLException {
        ThreadScope request = ThreadScope.open(this.session);
        Connection connection;
        try (ThreadScope scope = scope(FreshnessMode.AUTHORITATIVE_NOW)) {
            connection = this.dataSource.getConnection();
            assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("f");
            connection.setAutoCommit(false);
            execute(connection, "update item set name = 'x' where id = 1");
            connection.commit();
            connection.setAutoCommit(true);
            assertThat(activeOnWriter()).isEqualTo(1);
        }
        assertThat(active()).isZero();
        assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("f");
        assertThat(active()).isZero();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select 1")) {
            assertThat(rows.next()).isTrue();
            assertThat(activeOnWriter()).isEqualTo(1);
        }
        assertThat(active()).isZero();
        connection.setAutoCommit(false);
        execute(connection, "update item set name = 'y' where id = 1");
        assertThat(activeOnWriter()).isEqualTo(1);
        connection.commit();
        assertThat(active()).isZero();
        connection.close();
        request.close();
    }

    @Test
    void anAutoCommitWriteUnderAContractSucceedsOnTheWriterAndIsCounted() {
        double before = writesUnderContract();
        this.operations.read(FreshnessMode.AUTHORITATIVE_NOW, () -> {
            this.items.writeWithoutTransaction(1, "under a contract");
            return null;
        });
        assertThat(this.primary.query("select name from item where id = 1")).isEqualTo("under a contract");
        assertThat(writesUnderContract()).isEqualTo(before + 1);
    }

    private double writesUnderContract() {
        Counter counter = this.meters
                .find("freshness.write.under.contract")
                .tag("mode", "authoritative_now")
                .counter();
        return counter == null ? 0 : counter.count();
    }

    /** A manager that ends the transaction in another way than by commit(): here only when it cleans up. */
    @Test
    void theFloorIsUnknownBeforeTheFirstCallbackWhereCommitIsNotCalled() {
        JdbcTransactionManager late = new JdbcTransactionManager(this.dataSource) {
            @Override
            protected void doCommit(DefaultTransactionStatus status) {
                // Left to the clean-up, which switches auto-commit on.
            }
        };
        AtomicReference<Floor> atCallback = new AtomicReference<>();
        try (ThreadScope request = ThreadScope.open(this.session)) {
            new TransactionTemplate(late).executeWithoutResult(status -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public int getOrder() {
                        return HIGHEST;
                    }

                    @Override
                    public void afterCommit() {
                        atCallback.set(KeptConnectionTests.this.session.floor("default"));
                    }
                });
                JdbcClient.create(this.dataSource)
                        .sql("update item set name = 'late' where id = 1")
                        .update();
            });
        }
        assertThat(atCallback.get()).isInstanceOf(Floor.Unknown.class);
        assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
        assertThat(this.primary.query("select name from item where id = 1")).isEqualTo("late");
    }

    private static final int HIGHEST = Integer.MIN_VALUE + 1;
}
