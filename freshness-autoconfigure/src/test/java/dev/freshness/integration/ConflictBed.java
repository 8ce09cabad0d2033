/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.core.simple.JdbcClient;

/** One replica, which stops reads that are in the way of replay after 50 ms. */
abstract class ConflictBed extends ReplicationBed {

    static final String SETTING = "max_standby_streaming_delay=50ms";

    /** Runs until it is stopped, and sees the table's rows meanwhile. */
    static final String LONG_READ = "select count(*) from item where pg_sleep(60) is not null";

    /** What stands in the way. */
    enum Kind {

        /** Rows that replay is about to remove, and a snapshot that still sees them. */
        SNAPSHOT {
            @Override
            void strike(PostgresNode primary) {
                primary.execute("update item set name = name");
                primary.execute("vacuum (truncate false) item");
            }
        },

        /** A table that replay is about to lock. */
        LOCK {
            @Override
            void strike(PostgresNode primary) {
                primary.execute("do $$ begin lock table item in access exclusive mode; end $$");
            }
        };

        abstract void strike(PostgresNode primary);
    }

    @Autowired
    JdbcClient jdbc;

    @Autowired
    MeterRegistry meters;

    @Autowired
    HealthIndicator freshnessHealthIndicator;

    PostgresNode replica;

    private double canceledBefore;

    private double terminatedBefore;

    @Override
    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        this.replica = postgres.replicas().get(0);
        super.bed(postgres);
        // A test before may have had it left out for a while.
        awaitInRotation();
        this.canceledBefore = conflicts("canceled");
        this.terminatedBefore = conflicts("terminated");
    }

    /** Whatever a test does, no connection is left in anybody's hands. */
    @AfterEach
    void nothingIsLeftOver() {
        await().atMost(DEADLINE).until(() -> pool().getHikariPoolMXBean().getActiveConnections() == 0);
    }

    void awaitInRotation() {
        await().atMost(DEADLINE).until(() -> this.items.eventual(1).inRecovery());
    }

    HikariDataSource pool() {
        return (HikariDataSource) this.database.dataSource().pools().get(1).dataSource();
    }

    /** Has the replica end a transaction that lies idle. */
    void endIdle(int backend, Kind kind) {
        await().atMost(DEADLINE).until(() -> {
            kind.strike(this.primary);
            return isGone(backend);
        });
    }

    boolean isGone(int backend) {
        return "0".equals(this.replica.query("select count(*) from pg_stat_activity where pid = " + backend));
    }

    /** Has the replica cancel the next {@link #LONG_READ}, whoever runs it. To be awaited. */
    CompletableFuture<Void> cancelNextLongRead(Kind kind) {
        return CompletableFuture.runAsync(() -> {
            await().atMost(DEADLINE).until(this::isReading);
            await().atMost(DEADLINE).until(() -> {
                kind.strike(this.primary);
                return !isReading();
            });
        });
    }

    boolean isReading() {
        return !"0"
                .equals(this.replica.query(
                        "select count(*) from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'"));
    }

    double conflicts(String outcome) {
        Counter counter = this.meters
                .find("freshness.recovery.conflicts")
                .tag("database", "default")
                .tag("node", this.replica.name())
                .tag("outcome", outcome)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    void assertCounted(int canceled, int terminated) {
        assertThat(conflicts("canceled") - this.canceledBefore).as("canceled").isEqualTo(canceled);
        assertThat(conflicts("terminated") - this.terminatedBefore)
                .as("terminated")
                .isEqualTo(terminated);
    }

    /** A conflict says nothing about the node: the very next read is there again, and none gets a dead connection. */
    void assertReplicaStaysInRotation() {
        for (int i = 0; i < 2 * pool().getMaximumPoolSize(); i++) {
            assertOnReplica(this.items.eventual(1));
        }
        assertThat(this.freshnessHealthIndicator.health().getStatus()).isEqualTo(Status.UP);
    }
}
