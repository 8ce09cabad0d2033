/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Clients that write, think, and read what they wrote, under default settings; for comparison with the timer that many
 * use instead: for half a second after a write its client reads on the primary. The system property {@code soak.commits}
 * sets how many.
 */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class WriteThenReadLoopTests extends ReplicationBed {

    private static final Logger logger = LoggerFactory.getLogger(WriteThenReadLoopTests.class);

    private static final int LOOPS = Integer.getInteger("soak.commits", 2000) / 2;

    private static final int CLIENTS = 30;

    private static final int THREADS = 8;

    private static final int[] THINK_MILLIS = {0, 100, 600};

    private static final Duration LONGER_THAN_THE_TIMER = Duration.ofMillis(700);

    private final AtomicInteger[] onReplicas = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};

    private final AtomicInteger[] misses = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};

    private final AtomicInteger[] reads = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};

    @Autowired
    ApplicationContext context;

    @Test
    void nothingIsMissedAndHealthyReplicasAnswerNearlyAllReads() {
        run("contract", Duration.ZERO, LOOPS, i -> new ContractClient(this.items, i));
        assertThat(total(this.misses)).as("reads that missed the write").isZero();
        assertThat(total(this.onReplicas)).as("reads on replicas").isGreaterThanOrEqualTo(total(this.reads) * 95 / 100);
    }

    @Test
    void nothingIsMissedOnReplicasThatAreFurtherBehindThanAnyoneWaits() {
        delay(LONGER_THAN_THE_TIMER);
        run("contract", LONGER_THAN_THE_TIMER, LOOPS / 4, i -> new ContractClient(this.items, i));
        assertThat(total(this.misses)).as("reads that missed the write").isZero();
    }

    /** The comparison: it leaves healthy replicas idle, and trusts those that are behind. */
    @Test
    void aTimerUsesThePrimaryWithoutNeedAndMissesWritesAllTheSame() {
        run("500 ms timer", Duration.ZERO, LOOPS / 4, this::timerClient);
        assertThat(total(this.onReplicas)).isLessThan(total(this.reads) / 2);
        delay(LONGER_THAN_THE_TIMER);
        run("500 ms timer", LONGER_THAN_THE_TIMER, LOOPS / 4, this::timerClient);
        assertThat(this.misses[2]).as("reads that missed the write").hasPositiveValue();
    }

    private void delay(Duration delay) {
        this.postgres.replicas().forEach(replica -> replica.applyDelay(delay));
    }

    private TimerClient timerClient(int client) {
        List<JdbcClient> replicas = this.postgres.replicas().stream()
                .map(PostgresNode::name)
                .map(this::pool)
                .toList();
        return new TimerClient(pool("writer"), replicas.get(client % replicas.size()), client);
    }

    private JdbcClient pool(String name) {
        return this.context.getBeansOfType(HikariDataSource.class).values().stream()
                .filter(pool -> pool.getPoolName().equals(name))
                .map(JdbcClient::create)
                .findFirst()
                .orElseThrow();
    }

    private void run(String name, Duration delay, int loops, IntFunction<Client> clients) {
        for (AtomicInteger[] counts : List.of(this.reads, this.onReplicas, this.misses)) {
            for (AtomicInteger count : counts) {
                count.set(0);
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(loop(clients.apply(i), i, (loops + CLIENTS - 1) / CLIENTS, threads));
            }
            running.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        StringBuilder shares = new StringBuilder();
        for (int i = 0; i < THINK_MILLIS.length; i++) {
            shares.append(", after %d ms %.1f %% and %d"
                    .formatted(
                            THINK_MILLIS[i],
                            100.0 * this.onReplicas[i].get() / this.reads[i].get(),
                            this.misses[i].get()));
        }
        logger.info(
                "{} at apply delay {} ms: {} reads, {} % on replicas and {} misses{}",
                name,
                delay.toMillis(),
                total(this.reads),
                "%.1f".formatted(100.0 * total(this.onReplicas) / total(this.reads)),
                total(this.misses),
                shares);
    }

    private CompletableFuture<Void> loop(Client client, int first, int times, ExecutorService threads) {
        CompletableFuture<Void> loop = CompletableFuture.completedFuture(null);
        for (int i = 0; i < times; i++) {
            String name = "new " + i;
            int think = (first + i) % THINK_MILLIS.length;
            loop = loop.thenRunAsync(() -> client.write(name), threads)
                    .thenRunAsync(
                            () -> count(think, name, client.read()),
                            CompletableFuture.delayedExecutor(THINK_MILLIS[think], TimeUnit.MILLISECONDS, threads));
        }
        return loop;
    }

    private void count(int think, String name, Where where) {
        this.reads[think].incrementAndGet();
        if (where.inRecovery()) {
            this.onReplicas[think].incrementAndGet();
        }
        if (!name.equals(where.value())) {
            this.misses[think].incrementAndGet();
        }
    }

    private static int total(AtomicInteger[] counts) {
        int sum = 0;
        for (AtomicInteger count : counts) {
            sum += count.get();
        }
        return sum;
    }

    /** One who writes and reads one row of its own. */
    private interface Client {

        void write(String name);

        Where read();
    }

    private static final class ContractClient implements Client {

        private final FreshnessSession session = FreshnessSession.ofNewClient();

        private final Items items;

        private final int id;

        ContractClient(Items items, int client) {
            this.items = items;
            this.id = 1000 + client;
        }

        @Override
        public void write(String name) {
            try (ThreadScope request = ThreadScope.open(this.session)) {
                this.items.write(this.id, name);
            }
        }

        @Override
        public Where read() {
            try (ThreadScope request = ThreadScope.open(this.session)) {
                return this.items.readYourWrites(this.id);
            }
        }
    }

    private static final class TimerClient implements Client {

        private static final Duration ON_THE_PRIMARY = Duration.ofMillis(500);

        private final JdbcClient primary;

        private final JdbcClient replica;

        private final int id;

        private volatile long wroteAt;

        TimerClient(JdbcClient primary, JdbcClient replica, int client) {
            this.primary = primary;
            this.replica = replica;
            this.id = 2000 + client;
        }

        @Override
        public void write(String name) {
            this.primary
                    .sql("insert into item values (?, ?) on conflict (id) do update set name = excluded.name")
                    .params(this.id, name)
                    .update();
            this.wroteAt = System.nanoTime();
        }

        @Override
        public Where read() {
            boolean recently = System.nanoTime() - this.wroteAt < ON_THE_PRIMARY.toNanos();
            return Where.read(recently ? this.primary : this.replica, this.id);
        }
    }
}
