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
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** What statements give: rows, arrays, cursors, and what is done through them; and statements put aside for a batch. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class StatementChildrenTests extends ReplicationBed {

    private static final String ITEMS = "select id, name from item where id = 1";

    @Autowired
    FreshnessRoutingDataSource dataSource;

    @Autowired
    FreshnessOperations operations;

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    @BeforeAll
    static void function(PostgresNode primary) {
        primary.execute("create or replace function cursor_of_three() returns refcursor language plpgsql as"
                + " 'declare c refcursor; begin open c for select generate_series(1, 3); return c; end'");
    }

    @AfterEach
    void everythingIsBackInThePools() {
        assertThat(active()).isZero();
    }

    private int active() {
        return this.dataSource.pools().stream()
                .map(pool -> ((HikariDataSource) pool.dataSource()).getHikariPoolMXBean())
                .mapToInt(pool -> pool == null ? 0 : pool.getActiveConnections())
                .sum();
    }

    private ThreadScope eventual() {
        return ThreadScope.open(this.operations.contract(FreshnessMode.EVENTUAL));
    }

    private static String single(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static Statement updatable(Connection connection, int holdability) throws SQLException {
        return connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE, holdability);
    }

    private static ResultSet firstItem(Statement statement) throws SQLException {
        ResultSet rows = statement.executeQuery(ITEMS);
        assertThat(rows.next()).isTrue();
        return rows;
    }

    @Test
    void rowsOfACursorAnswerWithTheStatementThatReturnedIt() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (CallableStatement call = connection.prepareCall("{? = call cursor_of_three()}")) {
                call.registerOutParameter(1, Types.OTHER);
                call.execute();
                try (ResultSet rows = (ResultSet) call.getObject(1)) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getStatement()).isSameAs(call);
                }
            }
            try (Statement statement = connection.createStatement();
                    ResultSet outer =
                            statement.executeQuery("select cursor_of_three() as one, cursor_of_three() as other")) {
                assertThat(outer.next()).isTrue();
                assertThat(((ResultSet) outer.getObject(1)).getStatement()).isSameAs(statement);
                assertThat(((ResultSet) outer.getObject("other")).getStatement())
                        .isSameAs(statement);
            }
            connection.rollback();
        }
    }

    @Test
    void rowsOfAnArrayAnswerWithTheStatementThatReadIt() throws SQLException {
        try (Connection connection = this.dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement("select ?::int[] as numbers")) {
            statement.setArray(1, connection.createArrayOf("int4", new Integer[] {1, 2, 3}));
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(rows.next()).isTrue();
                Array numbers = rows.getArray("numbers");
                assertThat((Integer[]) numbers.getArray()).containsExactly(1, 2, 3);
                try (ResultSet elements = numbers.getResultSet()) {
                    assertThat(elements.next()).isTrue();
                    assertThat(elements.getStatement()).isSameAs(statement);
                }
                try (PreparedStatement next = connection.prepareStatement("select ?::int[]")) {
                    next.setArray(1, rows.getArray(1));
                    try (ResultSet again = next.executeQuery()) {
                        assertThat(again.next()).isTrue();
                        assertThat(again.getString(1)).isEqualTo("{1,2,3}");
                    }
                }
            }
        }
    }

    @Test
    void aChangeThroughRowsIsSeenByReadYourWrites() throws SQLException {
        pauseReplicas();
        try (ThreadScope request = ThreadScope.open(this.session)) {
            try (Connection connection = this.dataSource.getConnection();
                    Statement statement = updatable(connection, ResultSet.CLOSE_CURSORS_AT_COMMIT);
                    ResultSet rows = firstItem(statement)) {
                assertThat(this.session.floor("default")).isSameAs(Floor.none());
                rows.updateString("name", "changed");
                rows.updateRow();
                assertThat(this.session.floor("default")).isInstanceOf(Floor.Unknown.class);
            }
            assertThat(this.items.readYourWrites(1).value()).isEqualTo("changed");
            assertThat(this.items.eventual(1).value()).isEqualTo("old");
        }
    }

    @Test
    void aChangeThroughRowsThatOutlivedTheirTransactionBelongsToTheNext() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = updatable(connection, ResultSet.HOLD_CURSORS_OVER_COMMIT);
                    ResultSet rows = firstItem(statement)) {
                connection.commit();
                rows.updateString("name", "changed");
                rows.updateRow();
                assertThat(this.primary.query("select name from item where id = 1"))
                        .isEqualTo("old");
                connection.commit();
            }
        }
        assertThat(this.primary.query("select name from item where id = 1")).isEqualTo("changed");
        assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
    }

    @Test
    void aChangeThroughRowsOfAReplicaDoesNotRunInATransactionOnTheWriter() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            Statement statement;
            ResultSet rows;
            try (ThreadScope scope = eventual()) {
                statement = updatable(connection, ResultSet.HOLD_CURSORS_OVER_COMMIT);
                rows = firstItem(statement);
                rows.updateString("name", "changed");
                assertThatThrownBy(rows::updateRow).isInstanceOfSatisfying(SQLException.class, ex -> {
                    assertThat(ex.getSQLState()).isEqualTo("25006");
                    assertThat(ex.getSuppressed())
                            .singleElement()
                            .asString()
                            .contains("Refused on replica-", "EVENTUAL of");
                });
            }
            connection.setAutoCommit(false);
            assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("f");
            assertThatThrownBy(rows::updateRow)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("replica-")
                    .hasMessageContaining("writer");
            connection.rollback();
            rows.close();
            statement.close();
        }
    }

    @Test
    void rowsThatCloseTheirStatementLetItsConnectionGo() throws SQLException {
        try (Connection connection = this.dataSource.getConnection()) {
            ResultSet rows;
            try (ThreadScope scope = eventual()) {
                Statement statement = connection.createStatement();
                statement.closeOnCompletion();
                rows = statement.executeQuery("select generate_series(1, 3)");
            }
            assertThat(rows.next()).isTrue();
            assertThat(active()).isOne();
            rows.close();
            assertThat(active()).isZero();
        }
    }

    @Test
    void aBatchOfChangesRaisesTheFloorAndKeepsNothing() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            try (PreparedStatement statement = connection.prepareStatement("update item set name = ? where id = 1")) {
                for (int i = 0; i < 3; i++) {
                    statement.setString(1, "n" + i);
                    statement.addBatch();
                }
                assertThat(statement.executeBatch()).containsExactly(1, 1, 1);
            }
            assertThat(this.session.floor("default")).isInstanceOf(Floor.Unknown.class);
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("insert into item values (8, 'new')");
                statement.addBatch("delete from item where id = 8");
                assertThat(statement.executeLargeBatch()).containsExactly(1, 1);
            }
            try (ThreadScope scope = eventual()) {
                assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("t");
            }
        }
    }

    @Test
    void aBatchThatMaySetSomethingKeepsItsConnection() throws SQLException {
        try (ThreadScope request = ThreadScope.open(this.session);
                Connection connection = this.dataSource.getConnection()) {
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("set my.tenant = 'forgotten'");
                statement.clearBatch();
                statement.addBatch("update item set name = 'a' where id = 1");
                statement.executeBatch();
                try (ThreadScope scope = eventual()) {
                    assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("t");
                }
            }
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("set my.tenant = 'mine'");
                statement.addBatch("update item set name = 'b' where id = 1");
                statement.executeBatch();
            }
            try (ThreadScope scope = eventual()) {
                assertThat(single(connection, "select pg_is_in_recovery()")).isEqualTo("f");
                assertThat(single(connection, "select current_setting('my.tenant')"))
                        .isEqualTo("mine");
            }
            single(connection, "select set_config('my.tenant', '', false)");
        }
    }
}
