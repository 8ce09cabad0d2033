/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.NodePool;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.routing.RoutingListener;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Counted on the wire: a commit that is captured has as many round trips as one that is not. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class RoundTripsTests extends ReplicationBed {

    private static final int WARM_UP = 10;

    @Autowired
    FreshnessRoutingDataSource routed;

    private final AtomicInteger names = new AtomicInteger();

    private TcpTap tap;

    private FreshnessSession session;

    /** A transaction manager over a data source, and one write and one read in its way. */
    private record Access(PlatformTransactionManager manager, Runnable write, Runnable read) {

        void transaction(boolean readOnly) {
            TransactionTemplate template = new TransactionTemplate(this.manager);
            template.setReadOnly(readOnly);
            template.executeWithoutResult(status -> (readOnly ? this.read : this.write).run());
        }
    }

    @BeforeEach
    void listen() throws IOException {
        this.tap = new TcpTap(this.primary.port());
        this.session = FreshnessSession.ofNewClient();
        this.primary.execute("create table if not exists shelf (id int primary key, name text, note text)");
        this.primary.execute("create table if not exists shelf_books (shelf_id int, books text)");
        this.primary.execute("insert into shelf values (1, 'old', 'old') on conflict do nothing");
    }

    @AfterEach
    void hangUp() throws IOException {
        this.tap.close();
    }

    private HikariDataSource pool(String queryMode) {
        return this.tap.pool(
                this.primary, "preferQueryMode=" + queryMode + "&socketFactory=" + CountingSockets.class.getName());
    }

    private DataSource routed(HikariDataSource pool) {
        return new FreshnessRoutingDataSource(
                "default",
                new NodePool("writer", pool),
                this.routed.pools().subList(1, 3),
                new StateOnly(this.database::state),
                RoutingListener.NONE,
                WriteListener.NONE);
    }

    private Access jdbc(DataSource dataSource) {
        JdbcClient jdbc = JdbcClient.create(dataSource);
        return new Access(
                new JdbcTransactionManager(dataSource),
                () -> jdbc.sql("update item set name = ? where id = 1")
                        .param("n" + this.names.incrementAndGet())
                        .update(),
                () -> Where.read(jdbc, 1));
    }

    private Access jpa(DataSource dataSource) {
        LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();
        bean.setDataSource(dataSource);
        bean.setManagedTypes(PersistenceManagedTypes.of(Shelf.class.getName()));
        bean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        bean.afterPropertiesSet();
        EntityManagerFactory factory = Objects.requireNonNull(bean.getObject());
        EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
        JpaTransactionManager manager = new JpaTransactionManager(factory);
        manager.afterPropertiesSet();
        return new Access(
                manager,
                () -> entities.find(Shelf.class, 1).rename("n" + this.names.incrementAndGet()),
                () -> entities.find(Shelf.class, 1));
    }

    /** The fewest round trips of several: HikariCP checks a connection that lay idle, for which a slow machine gives it time. */
    private int roundTrips(Access access, boolean readOnly) {
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < WARM_UP; i++) {
            this.tap.reset();
            int before = CountingSockets.roundTrips();
            access.transaction(readOnly);
            fewest = Math.min(fewest, CountingSockets.roundTrips() - before);
        }
        return fewest;
    }

    private void assertSameRoundTrips(Access plain, Access ours) {
        int plainWrite = roundTrips(plain, false);
        int plainRead = roundTrips(plain, true);
        assertThat(plainWrite).isPositive();
        assertThat(roundTrips(ours, false)).as("a write without a session").isEqualTo(plainWrite);
        assertThat(this.tap.said()).doesNotContain("pg_current_");
        try (ThreadScope request = ThreadScope.open(this.session)) {
            assertThat(roundTrips(ours, true)).as("a read").isEqualTo(plainRead);
            assertThat(this.tap.said()).doesNotContain("pg_current_");
            assertThat(this.session.floor("default")).isSameAs(Floor.none());
            assertThat(roundTrips(ours, false)).as("a captured write").isEqualTo(plainWrite);
            assertThat(this.tap.said()).contains("pg_current_wal_flush_lsn");
            assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"extended", "simple"})
    void withJdbc(String queryMode) {
        try (HikariDataSource plain = pool(queryMode);
                HikariDataSource writer = pool(queryMode)) {
            assertSameRoundTrips(jdbc(plain), jdbc(routed(writer)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"extended", "simple"})
    void withJpa(String queryMode) {
        try (HikariDataSource plain = pool(queryMode);
                HikariDataSource writer = pool(queryMode)) {
            assertSameRoundTrips(jpa(plain), jpa(routed(writer)));
        }
    }
}
