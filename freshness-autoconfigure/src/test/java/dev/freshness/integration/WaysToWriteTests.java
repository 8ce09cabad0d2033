/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.transaction.SpringManagedTransactionFactory;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.CrudRepository;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Each way to write sets item 1 to "new" while the replicas stand still: the client's next read sees it, on the writer,
 * and the control shows that a replica would have told the old name.
 */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {ReplicatedApplication.WITHOUT_JPA, "freshness.wait-budget=1ms"})
@Import(WaysToWriteTests.Application.class)
class WaysToWriteTests extends ReplicationBed {

    private static final String UPDATE = "update item set name = 'new' where id = 1";

    /** A way to write. */
    interface Way {

        void write() throws Exception;
    }

    /** A user's mapper. */
    interface ItemMapper {

        @Update(UPDATE)
        int update();
    }

    /** A user's aggregate. */
    @Table("item")
    record Item(@Id int id, String name) {}

    /** A user's repository. */
    interface ItemRepository extends CrudRepository<Item, Integer> {}

    /** A user's event. */
    record Wrote(TransactionPhase phase) {}

    @org.springframework.context.annotation.Configuration(proxyBeanMethods = false)
    @EnableJdbcRepositories(
            basePackageClasses = WaysToWriteTests.class,
            considerNestedRepositories = true,
            includeFilters =
                    @org.springframework.context.annotation.ComponentScan.Filter(
                            type = org.springframework.context.annotation.FilterType.ASSIGNABLE_TYPE,
                            classes = ItemRepository.class))
    static class Application extends AbstractJdbcConfiguration {

        @Bean
        Listeners listeners(JdbcTemplate template) {
            return new Listeners(template);
        }

        @Override
        protected Set<Class<?>> getInitialEntitySet() {
            return Set.of(Item.class);
        }
    }

    /** Write in each phase of a transaction. */
    static class Listeners {

        private final JdbcTemplate template;

        Listeners(JdbcTemplate template) {
            this.template = template;
        }

        private void write(Wrote event, TransactionPhase phase) {
            if (event.phase() == phase) {
                this.template.update(UPDATE);
            }
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        public void beforeCommit(Wrote event) {
            write(event, TransactionPhase.BEFORE_COMMIT);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void afterCommit(Wrote event) {
            write(event, TransactionPhase.AFTER_COMMIT);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void afterCompletion(Wrote event) {
            write(event, TransactionPhase.AFTER_COMPLETION);
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void afterRollback(Wrote event) {
            write(event, TransactionPhase.AFTER_ROLLBACK);
        }
    }

    @Autowired
    javax.sql.DataSource dataSource;

    @Autowired
    PlatformTransactionManager manager;

    @Autowired
    JdbcTemplate template;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    ItemRepository repository;

    @Autowired
    ApplicationEventPublisher events;

    private FreshnessSession session = FreshnessSession.ofNewClient();

    @BeforeAll
    static void functions(PostgresNode primary) {
        primary.execute("create table if not exists item (id int primary key, name text)");
        primary.execute("create or replace function write_item() returns int language sql as"
                + " $$ update item set name = 'new' where id = 1 returning id $$");
        primary.execute("create or replace procedure write_and_commit() language plpgsql as"
                + " $$ begin update item set name = 'new' where id = 1; commit; perform 1; end $$");
        primary.execute("create or replace procedure write_only() language sql as"
                + " $$ update item set name = 'new' where id = 1 $$");
    }

    private TransactionTemplate transaction(int propagation) {
        TransactionTemplate transaction = new TransactionTemplate(this.manager);
        transaction.setPropagationBehavior(propagation);
        return transaction;
    }

    private void inTransaction(Way way) {
        transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> run(way));
    }

    private static void run(Way way) {
        try {
            way.write();
        } catch (RuntimeException ex) {
            throw ex;
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    private interface OnConnection {

        void write(Connection connection) throws SQLException, IOException;
    }

    private Way onConnection(OnConnection work) {
        return () -> {
            try (Connection connection = this.dataSource.getConnection()) {
                work.write(connection);
            }
        };
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private DSLContext jooq(boolean inSpring) {
        return DSL.using(new DefaultConfiguration()
                .set(new DataSourceConnectionProvider(
                        inSpring ? new TransactionAwareDataSourceProxy(this.dataSource) : this.dataSource))
                .set(SQLDialect.POSTGRES));
    }

    private ItemMapper myBatis() {
        Configuration configuration =
                new Configuration(new Environment("test", new SpringManagedTransactionFactory(), this.dataSource));
        configuration.addMapper(ItemMapper.class);
        SqlSessionFactory sessions = new SqlSessionFactoryBuilder().build(configuration);
        return new SqlSessionTemplate(sessions).getMapper(ItemMapper.class);
    }

    private Map<String, Way> ways() {
        Map<String, Way> ways = new TreeMap<>();
        ways.put("@Transactional", () -> this.items.write(1, "new"));
        ways.put("@Transactional requires new", () -> this.items.writeInNewTransaction(1, "new"));
        ways.put("TransactionTemplate", () -> inTransaction(() -> this.template.update(UPDATE)));
        ways.put(
                "requires new within a transaction that rolls back",
                () -> transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
                    this.items.writeInNewTransaction(1, "new");
                    status.setRollbackOnly();
                }));
        ways.put(
                "nested",
                () -> inTransaction(() -> transaction(TransactionDefinition.PROPAGATION_NESTED)
                        .executeWithoutResult(status -> this.template.update(UPDATE))));
        ways.put(
                "around a savepoint that is rolled back",
                () -> inTransaction(() -> {
                    this.template.update(UPDATE);
                    transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(status -> {
                        this.template.update("update item set name = 'lost' where id = 1");
                        status.setRollbackOnly();
                    });
                }));
        ways.put("read-write after read-only", () -> {
            this.items.unmarkedReadOnly(1);
            this.items.eventual(1);
            this.items.write(1, "new");
        });
        ways.put("JdbcTemplate in auto-commit", () -> this.template.update(UPDATE));
        ways.put("JdbcClient in auto-commit", () -> this.jdbc.sql(UPDATE).update());
        ways.put("JdbcTemplate batch in auto-commit", () -> this.template.batchUpdate("select 1", UPDATE));
        ways.put(
                "JdbcTemplate prepared batch in auto-commit",
                () -> this.template.batchUpdate(
                        "update item set name = ? where id = ?", List.<Object[]>of(new Object[] {"new", 1})));
        ways.put(
                "JdbcTemplate batch in a transaction",
                () -> inTransaction(() -> this.template.batchUpdate(UPDATE, "select 1")));
        ways.put("large batch of a statement", onConnection(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.addBatch(UPDATE);
                statement.executeLargeBatch();
            }
        }));
        ways.put("large update of a prepared statement", onConnection(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
                statement.executeLargeUpdate();
            }
        }));
        ways.put(
                "returning in auto-commit",
                () -> this.jdbc
                        .sql(UPDATE + " returning id")
                        .query(Integer.class)
                        .single());
        ways.put(
                "returning in a transaction",
                () -> inTransaction(() -> this.jdbc
                        .sql(UPDATE + " returning id")
                        .query(Integer.class)
                        .single()));
        ways.put("generated keys", onConnection(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(UPDATE, Statement.RETURN_GENERATED_KEYS)) {
                statement.executeUpdate();
            }
        }));
        ways.put("call with a commit inside", onConnection(connection -> {
            try (PreparedStatement call = connection.prepareStatement("call write_and_commit()")) {
                call.execute();
            }
        }));
        ways.put("call in a transaction", () -> inTransaction(() -> this.template.execute("call write_only()")));
        ways.put("function by a callable statement", onConnection(connection -> {
            try (CallableStatement call = connection.prepareCall("{? = call write_item()}")) {
                call.registerOutParameter(1, java.sql.Types.INTEGER);
                call.execute();
            }
        }));
        ways.put(
                "select of a writing function in auto-commit",
                () -> this.jdbc.sql("select write_item()").query(Integer.class).single());
        ways.put(
                "select of a writing function in a transaction",
                () -> inTransaction(() -> this.jdbc
                        .sql("select write_item()")
                        .query(Integer.class)
                        .single()));
        ways.put(
                "writing common table expression",
                () -> this.jdbc
                        .sql("with w as (" + UPDATE + " returning id) select count(*) from w")
                        .query(Integer.class)
                        .single());
        ways.put("textual transaction", onConnection(connection -> {
            execute(connection, "begin");
            execute(connection, UPDATE);
            execute(connection, "commit");
        }));
        ways.put("textual commit within a transaction", onConnection(connection -> {
            connection.setAutoCommit(false);
            execute(connection, UPDATE);
            execute(connection, "commit");
        }));
        ways.put("switching auto-commit on", onConnection(connection -> {
            connection.setAutoCommit(false);
            execute(connection, UPDATE);
            connection.setAutoCommit(true);
        }));
        ways.put(
                "several statements in one text",
                onConnection(connection -> execute(connection, "select 1; " + UPDATE)));
        ways.put("copy in a transaction", onConnection(connection -> {
            connection.setAutoCommit(false);
            copy(connection);
            connection.commit();
        }));
        ways.put("copy in auto-commit", onConnection(this::copy));
        ways.put("large object in a transaction", onConnection(connection -> {
            connection.setAutoCommit(false);
            LargeObjectManager objects = connection.unwrap(PGConnection.class).getLargeObjectAPI();
            long oid = objects.createLO();
            try (LargeObject object = objects.open(oid)) {
                object.write("new".getBytes(StandardCharsets.US_ASCII));
            }
            execute(connection, "update item set name = convert_from(lo_get(" + oid + "), 'UTF8') where id = 1");
            connection.commit();
        }));
        ways.put("Spring Data JDBC", () -> this.repository.save(new Item(1, "new")));
        ways.put(
                "Spring Data JDBC in a transaction",
                () -> inTransaction(() -> this.repository.save(new Item(1, "new"))));
        ways.put("jOOQ", () -> jooq(false).execute(UPDATE));
        ways.put(
                "jOOQ's own transaction",
                () -> jooq(false).transaction(scope -> scope.dsl().execute(UPDATE)));
        ways.put("jOOQ in a transaction", () -> inTransaction(() -> jooq(true).execute(UPDATE)));
        ways.put("MyBatis", () -> myBatis().update());
        ways.put("MyBatis in a transaction", () -> inTransaction(() -> myBatis().update()));
        for (TransactionPhase phase : TransactionPhase.values()) {
            ways.put(
                    "listener " + phase,
                    () -> transaction(TransactionDefinition.PROPAGATION_REQUIRED)
                            .executeWithoutResult(status -> {
                                this.template.queryForObject("select 1", Integer.class);
                                this.events.publishEvent(new Wrote(phase));
                                if (phase == TransactionPhase.AFTER_ROLLBACK) {
                                    status.setRollbackOnly();
                                }
                            }));
        }
        for (String level : List.of("off", "local", "on", "remote_apply")) {
            ways.put(
                    "synchronous_commit " + level + " for the transaction",
                    () -> inTransaction(() -> {
                        this.template.execute("set local synchronous_commit = " + level);
                        this.template.update(UPDATE);
                    }));
        }
        return ways;
    }

    private void copy(Connection connection) throws SQLException, IOException {
        connection.unwrap(PGConnection.class).getCopyAPI().copyIn("copy item from stdin", new StringReader("2\tnew\n"));
    }

    @TestFactory
    List<DynamicTest> theClientsNextReadSeesTheWrite() {
        return ways().entrySet().stream()
                .map(way -> DynamicTest.dynamicTest(way.getKey(), () -> seesTheWrite(way.getKey(), way.getValue())))
                .toList();
    }

    private void seesTheWrite(String name, Way way) {
        int id = name.startsWith("copy") ? 2 : 1;
        resumeReplicas();
        this.primary.execute("delete from item where id = 2");
        this.primary.execute("update item set name = 'old' where id = 1");
        this.postgres.awaitCaughtUp();
        awaitEligibleReplicas(2);
        pauseReplicas();
        this.session = FreshnessSession.ofNewClient();
        try (ThreadScope request = ThreadScope.open(this.session)) {
            run(way);
            assertThat(this.session.floor("default")).isNotSameAs(Floor.none());
            for (Where own : List.of(this.items.readYourWrites(id), this.items.readYourWritesWithoutTransaction(id))) {
                assertOnWriter(own);
                assertThat(own.value()).isEqualTo("new");
            }
            Where control = this.items.eventual(id);
            assertOnReplica(control);
            assertThat(control.value()).isEqualTo(id == 1 ? "old" : null);
        }
    }

    @Test
    void synchronousCommitSetByTheRoleIsNoticed() {
        try {
            for (String level : List.of("off", "on", "remote_apply")) {
                this.primary.execute("alter role " + this.primary.username() + " set synchronous_commit = " + level);
                evictWriterPool();
                seesTheWrite("role", () -> this.items.write(1, "new"));
                assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
            }
        } finally {
            this.primary.execute("alter role " + this.primary.username() + " reset synchronous_commit");
            evictWriterPool();
        }
    }

    private void evictWriterPool() {
        ((com.zaxxer.hikari.HikariDataSource) ((dev.freshness.jdbc.FreshnessRoutingDataSource) this.dataSource)
                        .pools()
                        .get(0)
                        .dataSource())
                .getHikariPoolMXBean()
                .softEvictConnections();
    }

    @Test
    void whatIsRolledBackOrWritesNothingRaisesNoFloor() {
        try (ThreadScope request = ThreadScope.open(this.session)) {
            transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
                this.template.update(UPDATE);
                status.setRollbackOnly();
            });
            inTransaction(() -> this.template.update("update item set name = 'x' where id = -1"));
            inTransaction(() -> this.template.queryForObject("select count(*) from item", Integer.class));
            assertThat(this.session.floor("default")).isSameAs(Floor.none());
        }
    }

    @Test
    void aThousandPlainReadsRaiseNoFloor() {
        List<String> reads = List.of(
                "select name from item where id = 1",
                "select count(*), max(name) from item -- counted",
                "values (1), (2)",
                "table item",
                "show search_path");
        try (ThreadScope request = ThreadScope.open(this.session)) {
            for (int i = 0; i < 200; i++) {
                reads.forEach(this.template::queryForList);
            }
            assertThat(this.session.floor("default")).isSameAs(Floor.none());
        }
    }
}
