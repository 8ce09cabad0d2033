/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.cursor.Cursor;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.database.ExtendedConnectionDataSourceProxy;
import org.springframework.batch.infrastructure.item.database.JdbcCursorItemReader;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.SingleColumnRowMapper;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Unmarked work on one connection behaves as on the writer's pool itself, whatever it leaves on the session. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class SessionStateTests extends ReplicationBed {

    private static final int ROWS = 100;

    /** A user's mapper. */
    interface Rows {

        @Select("select id from session_state order by id")
        @Options(fetchSize = 10)
        Cursor<Integer> all();
    }

    @Autowired
    FreshnessRoutingDataSource routed;

    @BeforeAll
    static void table(PostgresNode primary) {
        primary.execute("create table if not exists session_state (id int primary key)");
    }

    @BeforeEach
    void rows() {
        this.primary.execute("truncate session_state");
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

    private HikariDataSource writerPool() {
        return (HikariDataSource) this.routed.pools().get(0).dataSource();
    }

    @Test
    void anAdvisoryLockIsUnlockedWhereItWasTaken() throws SQLException {
        try (Connection connection = this.routed.getConnection()) {
            execute(connection, "select pg_advisory_lock(42)");
            assertThat(this.primary.query("select count(*) from pg_locks where locktype = 'advisory'"))
                    .isEqualTo("1");
            assertThat(single(connection, "select pg_advisory_unlock(42)")).isEqualTo("t");
        }
        assertThat(this.primary.query("select count(*) from pg_locks where locktype = 'advisory'"))
                .isEqualTo("0");
    }

    @Test
    void notificationsComeToTheConnectionThatListens() throws SQLException {
        try (Connection connection = this.routed.getConnection()) {
            execute(connection, "listen news");
            this.primary.execute("notify news, 'hello'");
            assertThat(connection.unwrap(PGConnection.class).getNotifications((int) DEADLINE.toMillis()))
                    .singleElement()
                    .satisfies(notification ->
                            assertThat(notification.getParameter()).isEqualTo("hello"));
            execute(connection, "unlisten news");
        }
    }

    @Test
    void aTemporaryTableLastsFromStatementToStatement() throws SQLException {
        try (Connection connection = this.routed.getConnection()) {
            execute(connection, "create temp table mine (id int)");
            execute(connection, "insert into mine values (1), (2)");
            assertThat(single(connection, "select count(*) from mine")).isEqualTo("2");
            execute(connection, "drop table mine");
        }
    }

    @Test
    void aTransactionInTextIsOneTransaction() throws SQLException {
        try (Connection connection = this.routed.getConnection()) {
            execute(connection, "begin");
            execute(connection, "insert into session_state values (1)");
            execute(connection, "rollback");
            execute(connection, "begin");
            execute(connection, "insert into session_state values (2)");
            assertThat(this.primary.query("select count(*) from session_state")).isEqualTo("0");
            execute(connection, "commit");
        }
        assertThat(this.primary.query("select string_agg(id::text, ',') from session_state"))
                .isEqualTo("2");
    }

    @Test
    void aStatementPreparedOnceServesAThousandTransactions() throws SQLException {
        Set<String> backends = new HashSet<>();
        try (Connection connection = this.routed.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into session_state values (?) returning pg_backend_pid()")) {
                for (int i = 0; i < 1000; i++) {
                    insert.setInt(1, i);
                    try (ResultSet row = insert.executeQuery()) {
                        row.next();
                        backends.add(row.getString(1));
                    }
                    connection.commit();
                }
            }
        }
        assertThat(backends).hasSize(1);
        assertThat(this.primary.query("select count(*) || ' ' || max(id) from session_state"))
                .isEqualTo("1000 999");
        assertThat(this.borrows.of("writer")).isEqualTo(1);
    }

    private void fill() {
        this.primary.execute("insert into session_state select generate_series(1, " + ROWS + ")");
    }

    private static List<Integer> readByCursorOverACommit(DataSource dataSource) throws Exception {
        Configuration configuration =
                new Configuration(new Environment("test", new JdbcTransactionFactory(), dataSource));
        configuration.addMapper(Rows.class);
        SqlSessionFactory sessions = new SqlSessionFactoryBuilder().build(configuration);
        List<Integer> read = new ArrayList<>();
        try (SqlSession session = sessions.openSession(true);
                Cursor<Integer> cursor = session.getMapper(Rows.class).all()) {
            Iterator<Integer> rows = cursor.iterator();
            read.add(rows.next());
            session.commit(true);
            rows.forEachRemaining(read::add);
        }
        return read;
    }

    @Test
    void aMyBatisCursorReadsOnAfterACommit() throws Exception {
        fill();
        assertThat(readByCursorOverACommit(this.routed)).hasSize(ROWS).isEqualTo(readByCursorOverACommit(writerPool()));
    }

    private static List<Integer> readByASharedReader(DataSource pool) throws Exception {
        ExtendedConnectionDataSourceProxy shared = new ExtendedConnectionDataSourceProxy(pool);
        JdbcCursorItemReader<Integer> reader = new JdbcCursorItemReader<>(
                shared, "select id from session_state order by id", new SingleColumnRowMapper<>(Integer.class));
        reader.setUseSharedExtendedConnection(true);
        reader.setName("reader");
        TransactionTemplate chunk = new TransactionTemplate(new JdbcTransactionManager(shared));
        List<Integer> read = new ArrayList<>();
        reader.open(new ExecutionContext());
        try {
            boolean[] more = {true};
            while (more[0]) {
                chunk.executeWithoutResult(status -> {
                    for (int i = 0; i < 10 && more[0]; i++) {
                        Integer id = next(reader);
                        more[0] = id != null;
                        if (id != null) {
                            read.add(id);
                        }
                    }
                });
            }
        } finally {
            reader.close();
        }
        return read;
    }

    private static Integer next(JdbcCursorItemReader<Integer> reader) {
        try {
            return reader.read();
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void aSharedBatchReaderReadsOnOverChunks() throws Exception {
        fill();
        assertThat(readByASharedReader(this.routed)).hasSize(ROWS).isEqualTo(readByASharedReader(writerPool()));
    }

    @Test
    void childrenAnswerWithTheLogicalObjects() throws SQLException {
        fill();
        try (Connection connection = this.routed.getConnection();
                PreparedStatement prepared = connection.prepareStatement("select id from session_state");
                ResultSet rows = prepared.executeQuery();
                Statement statement = connection.createStatement()) {
            assertThat(rows.getStatement()).isSameAs(prepared);
            assertThat(prepared.getConnection()).isSameAs(connection);
            statement.execute("select 1");
            assertThat(statement.getResultSet().getStatement()).isSameAs(statement);
            statement.executeUpdate("insert into session_state values (-1)", Statement.RETURN_GENERATED_KEYS);
            assertThat(statement.getGeneratedKeys().getStatement()).isSameAs(statement);
            assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
            try (ResultSet tables = connection.getMetaData().getTables(null, null, "session_state", null)) {
                assertThat(tables.next()).isTrue();
                assertThat((Object) tables.getStatement()).isNull();
            }
            assertThat(rows.unwrap(ResultSet.class)).isSameAs(rows);
            assertThat(rows.isWrapperFor(Map.class)).isFalse();
        }
    }
}
