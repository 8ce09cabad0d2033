/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.WriterFallbackExhaustedException;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * All replicas stand still, and many clients read what only the writer has: they must not take the writer down. Each read
 * holds its connection for some time.
 */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class OverloadTests extends ReplicationBed {

    private static final Logger logger = LoggerFactory.getLogger(OverloadTests.class);

    private static final int READERS = 200;

    /** Half the writer's pool, as by default. */
    private static final int LIMIT = 5;

    private static final int WRITERS = 4;

    /** The budgets by default, a catch-up wait and a wait for the fallback, and much for a busy machine. */
    private static final Duration BUDGETS = Duration.ofMillis(50 + 1000).plusSeconds(5);

    private static final Duration ALONE = Duration.ofSeconds(1);

    private static final Duration LOADED = Duration.ofSeconds(5);

    private static final int HIGHEST_RATE = 200;

    @Autowired
    FreshnessOperations operations;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    MeterRegistry meters;

    @Autowired
    ApplicationContext context;

    private final FreshnessSession client = FreshnessSession.ofNewClient();

    @Test
    void readsThatFallBackLeaveTheWriterToItsWrites() throws SQLException {
        int rate = Math.min(HIGHEST_RATE, writesPerSecondAlone() * 6 / 10);
        pauseReplicas();
        try (ThreadScope request = ThreadScope.open(this.client)) {
            this.items.write(1, "new");
        }
        Fallbacks fallbacks = new Fallbacks();
        double writes;
        try (Readers readers = new Readers(READERS, this::slowRead)) {
            readers.awaitFirst();
            writes = writesPerSecond(rate, fallbacks);
            List<Readers.Read> failed = readers.failed();
            logger.info(
                    "{} writes per second of {} while {} readers had {} reads answered and {} refused;"
                            + " {} fallbacks at once by the gauge, {} on the primary, of {}",
                    "%.1f".formatted(writes),
                    rate,
                    READERS,
                    readers.between(readers.begun(), Long.MAX_VALUE).size(),
                    failed.size(),
                    fallbacks.byGauge,
                    fallbacks.onPrimary,
                    LIMIT);
            assertThat(failed)
                    .allSatisfy(
                            read -> assertThat(read.failure()).isInstanceOf(WriterFallbackExhaustedException.class));
            assertThat(readers.between(readers.begun(), Long.MAX_VALUE))
                    .isNotEmpty()
                    .allSatisfy(read -> {
                        assertOnWriter(read.where());
                        assertThat(read.where().value()).isEqualTo("new");
                    });
            assertThat(readers.slow(BUDGETS, System.nanoTime())).isEmpty();
            assertThat(fallbacks.byGauge).isBetween(1, LIMIT);
            assertThat(fallbacks.onPrimary).isBetween(1, LIMIT);
            assertThat(writes).as("writes per second").isGreaterThanOrEqualTo(rate * 0.8);

            resumeReplicas();
            long resumed = System.nanoTime();
            await().atMost(DEADLINE)
                    .untilAsserted(() -> assertThat(readers.portsSince(resumed))
                            .containsAll(this.postgres.replicas().stream()
                                    .map(PostgresNode::port)
                                    .toList()));
        }
        await().atMost(DEADLINE).untilAsserted(() -> {
            assertThat(active()).isZero();
            assertThat(this.context.getBeansOfType(HikariDataSource.class).values())
                    .allSatisfy(pool -> {
                        assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                                .isZero();
                        assertThat(pool.getHikariPoolMXBean().getThreadsAwaitingConnection())
                                .isZero();
                    });
        });
        try (ThreadScope request = ThreadScope.open(this.client)) {
            assertOnReplica(this.items.readYourWrites(1));
        }
    }

    private Where slowRead() {
        try (ThreadScope request = ThreadScope.open(this.client)) {
            return this.operations.read(
                    FreshnessMode.READ_YOUR_WRITES,
                    () -> this.jdbc
                            .sql("select pg_is_in_recovery(), inet_server_port(), pg_backend_pid(),"
                                    + " (select name from item where id = 1) from pg_sleep(0.02)")
                            .query((row, number) ->
                                    new Where(row.getBoolean(1), row.getInt(2), row.getInt(3), row.getString(4)))
                            .single());
        }
    }

    private int active() {
        return (int) this.meters.get("freshness.writer.fallback.active").gauge().value();
    }

    private int writesPerSecondAlone() {
        LongAdder writes = new LongAdder();
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(WRITERS);
        try {
            long begun = System.nanoTime();
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int id = 3000 + i;
                writers.add(threads.submit(() -> {
                    while (System.nanoTime() - begun < ALONE.toNanos()) {
                        this.items.write(id, "alone");
                        writes.increment();
                    }
                }));
            }
            for (Future<?> writer : writers) {
                join(writer);
            }
            return (int) (writes.sum() * 1e9 / (System.nanoTime() - begun));
        } finally {
            threads.shutdownNow();
        }
    }

    /** Writes at a fixed rate for some time. A write that comes late is made up for, as by clients that go on asking. */
    private double writesPerSecond(int rate, Fallbacks fallbacks) throws SQLException {
        LongAdder writes = new LongAdder();
        AtomicInteger next = new AtomicInteger();
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(WRITERS);
        List<Future<?>> writers = new ArrayList<>();
        long period = WRITERS * 1_000_000L / rate;
        try (Connection connection = this.primary.connect();
                Statement statement = connection.createStatement()) {
            long begun = System.nanoTime();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(threads.scheduleAtFixedRate(
                        () -> {
                            this.items.write(3000 + next.getAndIncrement() % WRITERS, "loaded");
                            writes.increment();
                        },
                        i * period / WRITERS,
                        period,
                        TimeUnit.MICROSECONDS));
            }
            await().atMost(DEADLINE).pollInterval(Duration.ofMillis(5)).until(() -> {
                fallbacks.look(active(), statement);
                return System.nanoTime() - begun >= LOADED.toNanos();
            });
            double result = writes.sum() * 1e9 / (System.nanoTime() - begun);
            assertThat(writers).as("writers that failed").noneMatch(Future::isDone);
            return result;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void join(Future<?> future) {
        try {
            future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** The most that were seen at once. */
    private static final class Fallbacks {

        private static final String READING = "select count(*) from pg_stat_activity where state = 'active'"
                + " and pid <> pg_backend_pid() and query like '%pg_sleep(0.02)%'";

        private int byGauge;

        private int onPrimary;

        void look(int gauge, Statement statement) throws SQLException {
            this.byGauge = Math.max(this.byGauge, gauge);
            try (ResultSet row = statement.executeQuery(READING)) {
                row.next();
                this.onPrimary = Math.max(this.onPrimary, row.getInt(1));
            }
        }
    }
}
