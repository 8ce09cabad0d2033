/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.freshness.FreshnessOperations;
import dev.freshness.test.ReplicatedPostgres;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Entities on the bed of replication. Whatever a test does, no session and no connection is left over. */
abstract class PersistenceBed extends ReplicationBed {

    static final String STATISTICS = "spring.jpa.properties.hibernate.generate_statistics=true";

    @Autowired
    FreshnessOperations freshness;

    @Autowired
    EntityManagerFactory factory;

    @Autowired
    EntityManager entityManager;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    PlatformTransactionManager transactions;

    Statistics statistics;

    @Override
    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        this.primary = postgres.primary();
        this.primary.execute("create table if not exists author (id int primary key, name text, note text)");
        this.primary.execute("create table if not exists book (id int primary key, author_id int)");
        this.primary.execute("delete from book");
        this.primary.execute("delete from author");
        this.primary.execute("insert into author values (1, 'old', 'old'), (2, 'second', 'old')");
        this.primary.execute("insert into book values (10, 1), (11, 1)");
        super.bed(postgres);
        this.statistics = this.factory.unwrap(SessionFactory.class).getStatistics();
        awaitNothingLeftOver();
        this.statistics.clear();
    }

    @AfterEach
    void nothingIsLeftOver() {
        awaitNothingLeftOver();
    }

    private void awaitNothingLeftOver() {
        // The end of a request comes after its response.
        await().pollDelay(Duration.ZERO).atMost(DEADLINE).untilAsserted(() -> {
            assertThat(this.statistics.getSessionCloseCount()).isEqualTo(this.statistics.getSessionOpenCount());
            assertThat(activeConnections()).isZero();
        });
    }

    int activeConnections() {
        return IntStream.range(0, this.database.dataSource().pools().size())
                .map(this::activeConnections)
                .sum();
    }

    int activeConnections(int pool) {
        HikariDataSource hikari =
                (HikariDataSource) this.database.dataSource().pools().get(pool).dataSource();
        HikariPoolMXBean started = hikari.getHikariPoolMXBean();
        return started == null ? 0 : started.getActiveConnections();
    }

    /** Somebody else changes both columns, and no replica hears of it. */
    void changeBehindPausedReplicas() {
        pauseReplicas();
        this.primary.execute("update author set name = 'new', note = 'new' where id = 1");
    }

    Author find(int id) {
        return this.entityManager.find(Author.class, id);
    }

    boolean isInRecovery() {
        return (Boolean) this.entityManager
                .createNativeQuery("select pg_is_in_recovery()", Boolean.class)
                .getSingleResult();
    }

    void rename(int id, String name) {
        this.calls.unmarkedTransaction(() -> {
            find(id).rename(name);
            return null;
        });
    }

    void renameInNewTransaction(int id, String name) {
        in(
                TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                () -> this.jdbc
                        .sql("update author set name = ? where id = ?")
                        .params(name, id)
                        .update());
    }

    <T> T in(int propagation, Supplier<T> work) {
        TransactionTemplate template = new TransactionTemplate(this.transactions);
        template.setPropagationBehavior(propagation);
        return template.execute(status -> work.get());
    }

    String inDatabase(int id, String column) {
        return this.primary.query("select " + column + " from author where id = " + id);
    }
}
