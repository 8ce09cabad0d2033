/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.jdbc.NodePool;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.monitor.MonitorSettings;
import dev.freshness.monitor.MonitoredNode;
import dev.freshness.routing.Rollout;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import dev.freshness.routing.RoutingSettings;
import dev.freshness.routing.WaitOutcome;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Many clients, each with a write of its own, wait for one replica that stands still for a while. */
@ReplicatedPostgresTest(replicas = 1, shared = false)
class ManyWaitersTests {

    private static final int CLIENTS = 500;

    private static final Duration DEADLINE = Duration.ofMinutes(1);

    private static final FreshnessContract CONTRACT = new FreshnessContract(
            FreshnessMode.READ_YOUR_WRITES, Duration.ofHours(1), Duration.ofMinutes(2), OnUnmet.REJECT, "many waiters");

    /** When the wait of the calling thread ended. */
    private final ThreadLocal<Long> released = new ThreadLocal<>();

    private final CountDownLatch stillWaiting = new CountDownLatch(CLIENTS);

    private final CountDownLatch spinning = new CountDownLatch(1);

    private final List<Long> probes = new CopyOnWriteArrayList<>();

    private PostgresNode primary;

    private PostgresNode replica;

    private HikariDataSource writerPool;

    private HikariDataSource replicaPool;

    private FreshnessDatabase database;

    @BeforeEach
    void start(ReplicatedPostgres postgres) {
        this.primary = postgres.primary();
        this.replica = postgres.replicas().get(0);
        this.writerPool = pool(this.primary);
        this.replicaPool = pool(this.replica);
        this.database = new FreshnessDatabase(
                "default",
                new NodePool("writer", this.writerPool),
                monitored("writer", this.primary),
                List.of(new NodePool("replica-1", this.replicaPool)),
                List.of(monitored("replica-1", this.replica)),
                new MonitorSettings(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofMinutes(1)),
                RoutingSettings.DEFAULT,
                Rollout.full(),
                new RoutingListener() {
                    @Override
                    public void decided(
                            String database, FreshnessContract contract, RoutingDecision decision, boolean enforced) {
                        // Where it ran is asked of the server.
                    }

                    @Override
                    public void waited(String database, WaitOutcome outcome, long nanos) {
                        ManyWaitersTests.this.released.set(System.nanoTime());
                        awaitTheOthers();
                    }
                },
                (database, node, observation, nanos) -> {
                    if (node.equals("replica-1")) {
                        this.probes.add(observation.sampledAt());
                    }
                },
                new WriteListener() {});
        this.primary.execute("create table if not exists many (id int primary key)");
        postgres.awaitCaughtUp();
        this.database.start();
        await().atMost(DEADLINE)
                .until(() -> this.database.state().replicas().stream().allMatch(ReplicaState::freshnessKnown));
    }

    /** Those who are released do not read before all are: what is measured is the end of the wait. */
    private void awaitTheOthers() {
        this.stillWaiting.countDown();
        try {
            this.stillWaiting.await(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        this.database.stop();
        this.writerPool.close();
        this.replicaPool.close();
    }

    private static HikariDataSource pool(PostgresNode node) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(node.jdbcUrl());
        pool.setUsername(node.username());
        pool.setPassword(node.password());
        pool.setMaximumPoolSize(8);
        pool.setConnectionTimeout(DEADLINE.toMillis());
        return pool;
    }

    private static MonitoredNode monitored(String name, PostgresNode node) {
        return new MonitoredNode(name, node.jdbcUrl(), node.username(), node.password(), new Properties());
    }

    @Test
    void allWaitOnOneConnectionAndNoneReadsTooEarly() throws Exception {
        JdbcClient jdbc = JdbcClient.create(this.database.dataSource());
        this.replica.pauseReplay();
        CompletableFuture<Void> longEnough =
                CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS));
        WalPosition[] floors = write();
        List<CompletableFuture<Read>> reads = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                CompletableFuture<Read> read = new CompletableFuture<>();
                reads.add(read);
                int id = i;
                Thread reader = new Thread(() -> {
                    try {
                        read.complete(read(jdbc, CONTRACT, id, floors[id]));
                    } catch (Throwable ex) {
                        read.completeExceptionally(ex);
                    }
                });
                readers.add(reader);
                reader.start();
            }
            await().atMost(DEADLINE).until(() -> readers.stream().allMatch(ManyWaitersTests::isWaiting));
            assertThat(this.replica.query(
                            "select count(*) from pg_stat_activity where application_name = 'freshness-monitor'"))
                    .isEqualTo("1");
            assertThat(
                            this.replicaPool.getHikariPoolMXBean() == null
                                    ? 0
                                    : this.replicaPool.getHikariPoolMXBean().getActiveConnections())
                    .isZero();
            assertThat(
                            this.writerPool.getHikariPoolMXBean() == null
                                    ? 0
                                    : this.writerPool.getHikariPoolMXBean().getActiveConnections())
                    .isZero();
            Read control = read(
                    jdbc,
                    new FreshnessContract(
                            FreshnessMode.EVENTUAL, Duration.ofHours(1), Duration.ZERO, OnUnmet.REJECT, "control"),
                    0,
                    floors[0]);
            assertThat(control.onReplica()).isTrue();
            assertThat(control.seesTheWrite()).isFalse();

            CompletableFuture<long[]> spinner = CompletableFuture.supplyAsync(() -> firstSights(floors));
            assertThat(this.spinning.await(DEADLINE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            longEnough.join();
            this.replica.resumeReplay();

            long[] stamps = spinner.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            long[] delays = new long[CLIENTS];
            for (int i = 0; i < CLIENTS; i++) {
                Read read = reads.get(i).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
                assertThat(read.onReplica()).isTrue();
                assertThat(read.includesFloor()).isTrue();
                assertThat(read.seesTheWrite()).isTrue();
                delays[i] = read.releasedAt() - stamps[i];
            }
            int most = mostInASecond();
            Arrays.sort(delays);
            System.out.printf(
                    "%d waiters: released - first sight p50 %.2f ms, p99 %.2f ms, max %.2f ms; at most %d probes a second%n",
                    CLIENTS,
                    delays[CLIENTS / 2] / 1e6,
                    delays[CLIENTS * 99 / 100] / 1e6,
                    delays[CLIENTS - 1] / 1e6,
                    most);
            assertThat(most).isLessThanOrEqualTo(200);
        } finally {
            readers.forEach(Thread::interrupt);
        }
    }

    /** One commit for each client. */
    private WalPosition[] write() throws SQLException {
        PrimaryObservation writer = (PrimaryObservation)
                Objects.requireNonNull(this.database.state().writer());
        WalPosition[] positions = new WalPosition[CLIENTS];
        try (Connection connection = this.primary.connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < CLIENTS; i++) {
                statement.executeUpdate("insert into many values (" + i + ")");
                try (ResultSet row = statement.executeQuery("select pg_current_wal_flush_lsn()::text")) {
                    row.next();
                    positions[i] = new WalPosition(
                            writer.identity().systemIdentifier(), writer.timeline(), Lsn.parse(row.getString(1)));
                }
            }
        }
        return positions;
    }

    private Read read(JdbcClient jdbc, FreshnessContract contract, int id, WalPosition floor) {
        FreshnessSession session = FreshnessSession.ofNewClient();
        session.require("default", floor);
        try (ThreadScope request = ThreadScope.open(session);
                ThreadScope method = ThreadScope.open(contract)) {
            Read read = jdbc.sql("select pg_is_in_recovery(), pg_last_wal_replay_lsn()::text,"
                            + " exists (select from many where id = ?)")
                    .param(id)
                    .query((row, number) -> new Read(
                            row.getBoolean(1),
                            Lsn.parse(row.getString(2)).isAtOrPast(floor.lsn()),
                            row.getBoolean(3),
                            0))
                    .single();
            Long at = this.released.get();
            return new Read(read.onReplica(), read.includesFloor(), read.seesTheWrite(), at == null ? 0 : at);
        }
    }

    private static boolean isWaiting(Thread thread) {
        Object blocker = LockSupport.getBlocker(thread);
        return blocker != null && blocker.getClass().getSimpleName().equals("CatchUpWaits");
    }

    /** When an observer that does nothing else first sees each position on the replica. */
    private long[] firstSights(WalPosition[] floors) {
        long[] stamps = new long[CLIENTS];
        int seen = 0;
        try (Connection connection = this.replica.connect();
                Statement statement = connection.createStatement()) {
            while (seen < CLIENTS) {
                try (ResultSet row = statement.executeQuery("select pg_last_wal_replay_lsn()::text")) {
                    row.next();
                    Lsn replay = Lsn.parse(row.getString(1));
                    long now = System.nanoTime();
                    this.spinning.countDown();
                    while (seen < CLIENTS && replay.isAtOrPast(floors[seen].lsn())) {
                        stamps[seen++] = now;
                    }
                }
            }
        } catch (SQLException ex) {
            throw new IllegalStateException(ex);
        }
        return stamps;
    }

    private int mostInASecond() {
        List<Long> times = List.copyOf(this.probes);
        int most = 0;
        int first = 0;
        for (int i = 0; i < times.size(); i++) {
            while (times.get(i) - times.get(first) > 1_000_000_000L) {
                first++;
            }
            most = Math.max(most, i - first + 1);
        }
        return most;
    }

    /**
     * What a client read.
     *
     * @param onReplica where, as the server said
     * @param includesFloor whether the server had replayed its write
     * @param seesTheWrite whether its row was there
     * @param releasedAt when its wait ended, 0 if there was none
     */
    private record Read(boolean onReplica, boolean includesFloor, boolean seesTheWrite, long releasedAt) {}
}
