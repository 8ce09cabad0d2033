/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.StandbyObservation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A refused write says where and why, is not moved, and is not held against the node. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class RefusedWriteTests extends ReplicationBed {

    @Autowired
    FreshnessRoutingDataSource dataSource;

    @Autowired
    FreshnessOperations operations;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    JdbcTemplate template;

    private void assertRefused(ThrowingCallable work, String... words) {
        assertThatThrownBy(work).satisfies(thrown -> {
            Throwable cause = thrown;
            while (!(cause instanceof SQLException)) {
                cause = cause.getCause();
            }
            assertThat(((SQLException) cause).getSQLState()).isEqualTo("25006");
            assertThat(Arrays.stream(cause.getSuppressed()).map(Throwable::getMessage))
                    .singleElement()
                    .asString()
                    .contains(words);
        });
        assertThat(this.primary.query("select name from item where id = 1")).isEqualTo("old");
    }

    private int update() {
        return this.jdbc.sql("update item set name = 'refused' where id = 1").update();
    }

    @Test
    void inAReadOnlyTransactionOnAReplica() {
        assertRefused(
                () -> request(() -> this.calls.eventualTransaction(this::update)),
                "Refused on replica-",
                "declared read-only",
                "EVENTUAL of Calls.eventualTransaction");
    }

    @Test
    void inAReadOnlyTransactionOnTheWriter() {
        assertRefused(
                () -> this.calls.unmarkedReadOnlyTransaction(this::update), "Refused on writer", "declared read-only");
        assertRefused(
                () -> this.calls.authoritativeTransaction(this::update),
                "Refused on writer",
                "declared read-only",
                "AUTHORITATIVE_NOW of Calls.authoritativeTransaction");
    }

    @Test
    void outsideOfATransactionOnAReplica() {
        assertRefused(
                () -> request(() -> this.calls.eventual(this::update)),
                "Refused on replica-",
                "contracts speak of reads",
                "EVENTUAL of Calls.eventual");
    }

    @Test
    void inABatch() {
        Supplier<int[]> batch = () -> this.template.batchUpdate("update item set name = 'refused'");
        assertRefused(() -> request(() -> this.calls.eventualTransaction(batch)), "Refused on replica-");
    }

    /** 0A000 is on HikariCP's list of failures that cost a connection its place. */
    @Test
    void refusalsCostNoConnectionItsPlace() throws SQLException {
        for (String refused : new String[] {"set transaction isolation level serializable; select 1", "listen news"}) {
            int before;
            try (Connection connection =
                            this.dataSource.pools().get(1).dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                before = connection.unwrap(PGConnection.class).getBackendPID();
                connection.setAutoCommit(false);
                assertThatThrownBy(() -> statement.execute(refused)).isInstanceOf(SQLException.class);
                assertThat(connection.isClosed()).isFalse();
                connection.rollback();
                assertThat(connection.unwrap(PGConnection.class).getBackendPID())
                        .isEqualTo(before);
            }
        }
        try (Connection connection = this.dataSource.getConnection()) {
            assertThatThrownBy(connection::createBlob)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            ex -> assertThat(ex.getSQLState()).isEqualTo("0A000"));
            assertThat(connection.isClosed()).isFalse();
        }
    }

    @Test
    void aReplicaThatRefusedGoesOnOnTheSameConnection() throws SQLException {
        try (ThreadScope scope = ThreadScope.open(this.operations.contract(FreshnessMode.EVENTUAL));
                Connection connection = this.dataSource.getConnection()) {
            String before = node(connection);
            assertThat(before).startsWith("true ");
            try (Statement statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.executeUpdate("update item set name = 'refused'"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                ex -> assertThat(ex.getSQLState()).isEqualTo("25006"));
            }
            assertThat(node(connection)).isEqualTo(before);
            assertThatThrownBy(connection::createBlob)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            ex -> assertThat(ex.getSQLState()).isEqualTo("0A000"));
            assertThat(node(connection)).isEqualTo(before);
        }
        assertThat(this.database.state().replicas())
                .allMatch(replica -> replica.observation() instanceof StandbyObservation);
    }

    private static String node(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("select pg_is_in_recovery()::text || ' ' || pg_backend_pid()")) {
            rows.next();
            return rows.getString(1);
        }
    }
}
