/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** What frameworks ask of a connection before its route is known, and what they do to it from outside. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class UndecidedTests extends ReplicationBed {

    @Autowired
    FreshnessRoutingDataSource dataSource;

    @Autowired
    FreshnessOperations operations;

    @Autowired
    MeterRegistry meters;

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    private ThreadScope eventual() {
        return ThreadScope.open(this.operations.contract(FreshnessMode.EVENTUAL));
    }

    private double decisions() {
        return this.meters.find("freshness.decisions").functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    private static boolean inRecovery(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select pg_is_in_recovery()")) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    private int active() {
        return this.dataSource.pools().stream()
                .map(pool -> ((HikariDataSource) pool.dataSource()).getHikariPoolMXBean())
                .mapToInt(pool -> pool == null ? 0 : pool.getActiveConnections())
                .sum();
    }

    @Test
    void metadataBeforeTheFirstStatementDecidesNothing() throws SQLException {
        double before = decisions();
        try (ThreadScope request = ThreadScope.open(this.session);
                ThreadScope scope = eventual();
                Connection connection = this.dataSource.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            DatabaseMetaData metaData = connection.getMetaData();
            assertThat(metaData.supportsSavepoints()).isTrue();
            try (ResultSet tables = metaData.getTables(null, null, "item", null)) {
                assertThat(tables.next()).isTrue();
            }
            assertThat(connection.isWrapperFor(PGConnection.class)).isTrue();
            assertThat(decisions()).isEqualTo(before);
            assertThat(inRecovery(connection)).isTrue();
            assertThat(decisions()).isEqualTo(before + 1);
            // Kept from before, it asks the connection of now.
            assertThat(metaData.getURL()).contains(":" + port(connection) + "/");
            connection.commit();
        }
        assertThat(this.session.floor("default")).isSameAs(Floor.none());
    }

    private static String port(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select inet_server_port()")) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void theDriversOwnConnectionWorksInATransactionAndIsKeptUntilItEnds() throws Exception {
        pauseReplicas();
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("copy item from stdin", new StringReader("7\tcopied\n"));
            connection.commit();
            assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
            connection.setAutoCommit(true);
            try (ThreadScope scope = eventual()) {
                assertThat(inRecovery(connection)).isTrue();
            }
            assertThat(active()).isZero();
            assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
        }
        this.primary.execute("delete from item where id = 7");
    }

    @Test
    void whoeverUnwrapsEarlyDecidesNothing() throws SQLException {
        double before = decisions();
        try (ThreadScope request = ThreadScope.open(this.session);
                ThreadScope scope = eventual();
                Connection connection = this.dataSource.getConnection()) {
            assertThat(connection.unwrap(PGConnection.class).getBackendPID()).isPositive();
            assertThat(decisions()).isEqualTo(before);
            assertThat(inRecovery(connection)).isTrue();
        }
        assertThat(active()).isZero();
    }

    @Test
    void isValidReallyChecks() throws SQLException {
        Connection connection = this.dataSource.getConnection();
        assertThat(connection.isValid(5)).isTrue();
        this.primary.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid = "
                + connection.unwrap(PGConnection.class).getBackendPID());
        assertThat(connection.isValid(5)).isFalse();
        assertThatThrownBy(() -> connection.isValid(-1)).isInstanceOf(SQLException.class);
        connection.close();
        assertThat(connection.isValid(5)).isFalse();
        assertThat(active()).isZero();
    }

    @Test
    void isValidBeforeTheFirstStatementDecidesNothing() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                ThreadScope scope = eventual();
                Connection connection = this.dataSource.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertThat(connection.isValid(5)).isTrue();
            assertThat(inRecovery(connection)).isTrue();
            connection.rollback();
        }
    }

    @Test
    void anAbortWhileAStatementRunsLeaksNoConnection(PostgresNode primary) throws Exception {
        Connection connection = this.dataSource.getConnection();
        int backend = connection.unwrap(PGConnection.class).getBackendPID();
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("select pg_sleep(60)");
            } catch (SQLException ex) {
                throw new IllegalStateException(ex);
            }
        });
        org.awaitility.Awaitility.await()
                .atMost(DEADLINE)
                .until(() -> primary.query(
                                "select count(*) from pg_stat_activity where wait_event = 'PgSleep' and pid = "
                                        + backend)
                        .equals("1"));
        connection.abort(Runnable::run);
        assertThatThrownBy(running::get).hasRootCauseInstanceOf(Exception.class);
        org.awaitility.Awaitility.await().atMost(DEADLINE).until(() -> active() == 0);
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void anAbortThrowsAwayWhatWasPutAside() throws SQLException {
        Connection connection = this.dataSource.getConnection();
        Statement cursor;
        ResultSet rows;
        int backend;
        try (ThreadScope scope = eventual()) {
            cursor = connection.createStatement();
            rows = cursor.executeQuery("select pg_backend_pid() from generate_series(1, 3)");
            assertThat(rows.next()).isTrue();
            backend = rows.getInt(1);
        }
        assertThat(inRecovery(connection)).isFalse();
        assertThat(active()).isEqualTo(2);
        connection.abort(Runnable::run);
        assertThat(active()).isZero();
        assertThat(connection.isClosed()).isTrue();
        String isThere = "select count(*) from pg_stat_activity where pid = " + backend;
        org.awaitility.Awaitility.await()
                .atMost(DEADLINE)
                .until(() -> this.postgres.replicas().stream()
                        .allMatch(replica -> replica.query(isThere).equals("0")));
        // As after any close: nothing is given back twice.
        rows.close();
        cursor.close();
        connection.close();
        assertThat(active()).isZero();
    }
}
