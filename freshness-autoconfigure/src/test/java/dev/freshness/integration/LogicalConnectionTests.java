/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;

/** The connection that applications hold, by plain JDBC. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {ReplicatedApplication.WITHOUT_JPA, "spring.datasource.hikari.maximum-pool-size=2"})
class LogicalConnectionTests extends ReplicationBed {

    @Autowired
    DataSource dataSource;

    @Autowired
    @Qualifier("freshnessWriterPool")
    HikariDataSource writerPool;

    @Autowired
    FreshnessOperations operations;

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    @AfterEach
    void everythingIsBackInThePools() {
        assertThat(this.writerPool.getHikariPoolMXBean().getActiveConnections()).isZero();
        assertThat(ThreadScope.current()).isNull();
    }

    private FreshnessContract eventual() {
        return this.operations.contract(FreshnessMode.EVENTUAL);
    }

    private static boolean inRecovery(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return single(statement.executeQuery("select pg_is_in_recovery()")).equals("t");
        }
    }

    private static String single(ResultSet rows) throws SQLException {
        try (rows) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static String backend(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return single(statement.executeQuery("select pg_backend_pid()"));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void costsNothingUntilAStatementNeedsIt() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
            connection.commit();
            connection.rollback();
            assertThat((Object) connection.getWarnings()).isNull();
        }
        assertThat(this.borrows.of("writer")).isZero();
    }

    @Test
    void whatWasSetEarlyHoldsOnThePhysicalConnectionAndIsGoneForTheNext() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setSchema("pg_catalog");
            connection.setClientInfo("ApplicationName", "mine");
            connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                assertThat(single(statement.executeQuery("show transaction_isolation")))
                        .isEqualTo("repeatable read");
                assertThat(single(statement.executeQuery("select current_schema()")))
                        .isEqualTo("pg_catalog");
                assertThat(single(statement.executeQuery("show application_name")))
                        .isEqualTo("mine");
                assertThat(statement.getResultSetHoldability()).isEqualTo(ResultSet.HOLD_CURSORS_OVER_COMMIT);
            }
            connection.rollback();
        }
        try (Connection connection = this.dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(single(statement.executeQuery("show transaction_isolation")))
                    .isEqualTo("read committed");
            assertThat(single(statement.executeQuery("select current_schema()")))
                    .isEqualTo("public");
            assertThat(single(statement.executeQuery("show application_name"))).isNotEqualTo("mine");
            assertThat(statement.getResultSetHoldability()).isEqualTo(ResultSet.CLOSE_CURSORS_AT_COMMIT);
        }
    }

    @Test
    void eachTransactionOnOneConnectionIsDecidedAfresh() throws SQLException {
        try (ThreadScope scope = ThreadScope.open(eventual());
                Connection connection = this.dataSource.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertThat(inRecovery(connection)).isTrue();
            connection.commit();
            connection.setAutoCommit(true);
            connection.setReadOnly(false);

            connection.setAutoCommit(false);
            assertThat(inRecovery(connection)).isFalse();
            execute(connection, "update item set name = 'new' where id = 1");
            connection.commit();
            connection.setAutoCommit(true);

            assertThat(inRecovery(connection)).isTrue();
        }
    }

    @Test
    void aReplicaConnectionGoesBackAtTheEndOfItsScope() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            try (ThreadScope scope = ThreadScope.open(eventual())) {
                assertThat(inRecovery(connection)).isTrue();
                assertThat(connection.toString()).contains("replica-");
            }
            assertThat(connection.toString()).contains("no node yet");
            assertThat(inRecovery(connection)).isFalse();
        }
    }

    @Test
    void anOpenCursorKeepsItsConnectionOverTheEndOfItsScope() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            Statement cursor;
            ResultSet rows;
            try (ThreadScope scope = ThreadScope.open(eventual())) {
                cursor = connection.createStatement();
                rows = cursor.executeQuery("select generate_series(1, 3)");
            }
            assertThat(inRecovery(connection)).isFalse();
            int count = 0;
            while (rows.next()) {
                count++;
            }
            assertThat(count).isEqualTo(3);
            cursor.close();
        }
    }

    @Test
    void aStatementOfAnEarlierUnitDoesNotRunOnAnotherNode() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            PreparedStatement prepared;
            try (ThreadScope scope = ThreadScope.open(eventual())) {
                prepared = connection.prepareStatement("select 1");
                single(prepared.executeQuery());
            }
            assertThatThrownBy(prepared::executeQuery)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("replica-")
                    .hasMessageContaining("writer");
            prepared.close();
        }
    }

    @Test
    void aPreparedStatementServesManyTransactionsOnTheSameNode() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement prepared = connection.prepareStatement(
                    "update item set name = 'n' || ? where id = 1 returning pg_backend_pid()")) {
                prepared.setInt(1, 1);
                String pid = single(prepared.executeQuery());
                for (int i = 0; i < 20; i++) {
                    connection.commit();
                    prepared.setInt(1, i);
                    assertThat(single(prepared.executeQuery())).isEqualTo(pid);
                }
                connection.rollback();
            }
        }
        assertThat(this.items.unmarked(1).value()).isEqualTo("n18");
    }

    @Test
    void withoutAContractSessionStateBehavesAsOnThePool() throws SQLException {
        try (Connection connection = this.dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(single(statement.executeQuery("select pg_try_advisory_lock(42)")))
                    .isEqualTo("t");
            statement.execute("create temp table scratch (id int)");
            statement.execute("set my.setting = 'kept'");
            assertThat(single(statement.executeQuery("show my.setting"))).isEqualTo("kept");
            assertThat(single(statement.executeQuery("select count(*) from scratch")))
                    .isEqualTo("0");
            assertThat(single(statement.executeQuery("select pg_advisory_unlock(42)")))
                    .isEqualTo("t");
            statement.execute("drop table scratch");
            statement.execute("reset my.setting");
        }
    }

    @Test
    void aTextualTransactionLeftOpenDoesNotGoBackToThePool() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            execute(connection, "begin");
            execute(connection, "update item set name = 'forgotten' where id = 1");
        }
        assertThat(this.items.unmarked(1).value()).isEqualTo("old");
    }

    @Test
    void closingRollsBack() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "update item set name = 'forgotten' where id = 1");
        }
        assertThat(this.items.unmarked(1).value()).isEqualTo("old");
        Connection closed = this.dataSource.getConnection();
        closed.close();
        assertThatThrownBy(closed::createStatement)
                .isInstanceOfSatisfying(
                        SQLException.class, ex -> assertThat(ex.getSQLState()).isEqualTo("08003"));
    }

    @Test
    void abortLeaksNoPlaceInThePool() throws SQLException {
        for (int i = 0; i < 5; i++) {
            Connection connection = this.dataSource.getConnection();
            inRecovery(connection);
            connection.abort(Runnable::run);
            connection.close();
        }
    }

    @Test
    void switchingAutoCommitOnCommitsAndRaisesTheFloor() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "update item set name = 'new' where id = 1");
            connection.setAutoCommit(true);
            assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
        }
        assertThat(this.items.unmarked(1).value()).isEqualTo("new");
    }

    @Test
    void savepointsBelongToTheTransaction() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "update item set name = 'kept' where id = 1");
            Savepoint savepoint = connection.setSavepoint();
            execute(connection, "update item set name = 'undone' where id = 1");
            connection.rollback(savepoint);
            connection.commit();
            assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
        }
        assertThat(this.items.unmarked(1).value()).isEqualTo("kept");
    }

    @Test
    void aDeferredConstraintThatFailsAtCommitIsReportedAsTheDriverDoes() throws SQLException {
        this.primary.execute("create table if not exists pair (id int unique deferrable initially deferred)");
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "insert into pair values (1), (1)");
            assertThatThrownBy(connection::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            ex -> assertThat(ex.getSQLState()).isEqualTo("23505"));
            connection.rollback();
            assertThat(this.session.floor("default")).isSameAs(Floor.none());
            assertThat(inRecovery(connection)).isFalse();
            connection.rollback();
        }
    }

    @Test
    void whatADeferredTriggerSaysAtCommitIsAWarningOfTheConnection() throws SQLException {
        this.primary.execute("create or replace function say() returns trigger language plpgsql"
                + " as 'begin raise warning ''said at commit''; return null; end'");
        this.primary.execute("create table if not exists talkative (id int)");
        this.primary.execute("drop trigger if exists say on talkative");
        this.primary.execute("create constraint trigger say after insert on talkative deferrable initially deferred"
                + " for each row execute function say()");
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "insert into talkative values (1)");
            connection.commit();
            assertThat(connection.getWarnings().getMessage()).contains("said at commit");
            assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
        }
    }

    @Test
    void aCommitInDoubtMakesTheFloorUnknown() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            String pid;
            try (Statement statement = connection.createStatement()) {
                pid = single(
                        statement.executeQuery("update item set name = 'x' where id = 1 returning pg_backend_pid()"));
            }
            this.primary.query("select pg_terminate_backend(" + pid + ", 10000)");
            assertThatThrownBy(connection::commit)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            ex -> assertThat(ex.getSQLState()).isIn("57P01", "08006"));
            assertThat(this.session.floor("default")).isInstanceOf(Floor.Unknown.class);
            assertThatThrownBy(connection::rollback).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void textualCommitAndAutoCommitWritesMarkTheFloor() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            inRecovery(connection);
            assertThat(this.session.floor("default")).isSameAs(Floor.none());
            connection.setAutoCommit(false);
            execute(connection, "update item set name = 'new' where id = 1");
            execute(connection, "commit");
            assertThat(this.session.floor("default")).isInstanceOf(Floor.Unknown.class);
        }
    }

    @Test
    void theDriversOwnConnectionMarksTheFloorWhenItIsHandedOut() throws SQLException, IOException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("copy item from stdin", copied());
            assertThat(this.session.floor("default")).isInstanceOf(Floor.Unknown.class);
        }
        this.primary.execute("delete from item where id = 77");
    }

    /** The driver begins the transaction by itself, and no statement of ours tells. */
    @Test
    void whatTheDriversOwnConnectionWroteInATransactionIsCommitted() throws SQLException, IOException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("copy item from stdin", copied());
            connection.commit();
            assertThat(this.session.floor("default")).isNotSameAs(Floor.none());
        }
        assertThat(this.items.unmarked(77).value()).isEqualTo("copied");
        this.primary.execute("delete from item where id = 77");
    }

    /** A sample taken while a copy goes on must not be taken for its end. */
    @Test
    void aFloorMarkedByAHandOutIsNotResolvedBySamples() throws SQLException, IOException {
        pauseReplicas();
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn("copy item from stdin");
            long since = System.nanoTime();
            await().atMost(DEADLINE)
                    .until(() ->
                            this.database.state().livePrimary(System.nanoTime()).sampledAt() > since);
            assertThat(this.items.readYourWrites(1).inRecovery()).isFalse();
            byte[] row = copied().readAllBytes();
            copy.writeToCopy(row, 0, row.length);
            copy.endCopy();
            assertThat(this.items.readYourWrites(77).value()).isEqualTo("copied");
        }
        this.primary.execute("delete from item where id = 77");
    }

    private static ByteArrayInputStream copied() {
        return new ByteArrayInputStream("77\tcopied\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anOpenStatementOfTheWriterIsFoundAgainAfterAReadOnAReplica() throws SQLException {
        try (Connection connection = this.dataSource.getConnection();
                PreparedStatement update = connection.prepareStatement("update item set name = 'again' where id = 1")) {
            String backend = backend(connection);
            try (ThreadScope scope = ThreadScope.open(eventual())) {
                assertThat(inRecovery(connection)).isTrue();
            }
            assertThat(update.executeUpdate()).isEqualTo(1);
            assertThat(backend(connection)).isEqualTo(backend);
            assertThat(this.writerPool.getHikariPoolMXBean().getActiveConnections())
                    .isEqualTo(1);
        }
    }

    @Test
    void aStatementThatWaitedTooLongIsNotRunOnAReplicaThatFellBehind() throws SQLException {
        pauseReplicas();
        try (ThreadScope scope = ThreadScope.open(eventual().withMaxStaleness(Duration.ofSeconds(2)));
                Connection connection = this.dataSource.getConnection();
                PreparedStatement prepared = connection.prepareStatement("select 1")) {
            assertThat(connection.toString()).contains("replica-");
            this.primary.execute("update item set name = 'new' where id = 1");
            await().atMost(DEADLINE)
                    .until(() -> this.database.state().replicas().stream()
                            .allMatch(replica -> replica.stalenessBound(System.nanoTime()) > 2_000_000_000L));
            assertThatThrownBy(prepared::executeQuery)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("this one runs on writer");
        }
    }

    @Test
    void metadataAndSchemaLeaveNoTransactionBehind() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(connection.getSchema()).isEqualTo("public");
            connection.commit();
            connection.setAutoCommit(true);
            connection.getMetaData().getTables(null, null, "item", null).close();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = connection.createStatement()) {
                assertThat(single(statement.executeQuery("show transaction_isolation")))
                        .isEqualTo("repeatable read");
            }
        }
    }

    @Test
    void askingForMetadataDecidesNothing() throws SQLException {
        try (ThreadScope scope = ThreadScope.open(eventual());
                Connection connection = this.dataSource.getConnection()) {
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("PostgreSQL");
            assertThat(inRecovery(connection)).isTrue();
        }
    }

    @Test
    void aReadOnlyTransactionOnTheWriterRefusesWritesAsAReplicaWould() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                ThreadScope scope = ThreadScope.open(this.operations.contract(FreshnessMode.AUTHORITATIVE_NOW));
                Connection connection = this.dataSource.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertThat(inRecovery(connection)).isFalse();
            assertThatThrownBy(() -> execute(connection, "update item set name = 'new' where id = 1"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            ex -> assertThat(ex.getSQLState()).isEqualTo("25006"));
            connection.rollback();
        }
    }
}
