/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.wal.Lsn;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Many commits, each followed by a read of the same client: the row is there, nearly always on a replica. The system
 * property {@code soak.commits} sets how many.
 */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            ReplicatedApplication.WITHOUT_JPA,
            "freshness.wait-budget=2s",
            "spring.datasource.hikari.minimum-idle=1",
            "spring.datasource.hikari.maximum-pool-size=40"
        })
class CommitLoopTests extends ReplicationBed {

    private static final Logger logger = LoggerFactory.getLogger(CommitLoopTests.class);

    private static final int COMMITS = Integer.getInteger("soak.commits", 2000);

    private static final int SESSIONS = 50;

    private static final int BATCH = 1000;

    /** Without the rules for asynchronous commits and page headers, floors stay out of reach for ten seconds and more. */
    private static final Duration REACH = Duration.ofSeconds(5);

    @Autowired
    FreshnessOperations operations;

    @Autowired
    TransactionTemplate transactions;

    @Autowired
    JdbcClient jdbc;

    private final AtomicInteger ids = new AtomicInteger();

    private final AtomicInteger misses = new AtomicInteger();

    private final AtomicInteger onReplicas = new AtomicInteger();

    private final AtomicInteger lowFloors = new AtomicInteger();

    @BeforeAll
    static void table(PostgresNode primary) {
        primary.execute("create table if not exists commit_loop (id int primary key, filling text)");
    }

    @BeforeEach
    void empty() {
        this.primary.execute("truncate commit_loop");
        this.primary.execute("create table if not exists other_session (id int)");
    }

    @AfterEach
    void defaultDelay() {
        walWriterDelay("200ms");
    }

    private void walWriterDelay(String delay) {
        this.primary.execute("alter system set wal_writer_delay = '" + delay + "'");
        this.primary.execute("select pg_reload_conf()");
        await().atMost(DEADLINE)
                .until(() -> this.primary.query("show wal_writer_delay").equals(delay));
    }

    @Test
    void synchronousCommits() {
        run("on", COMMITS / 2);
    }

    @Test
    void asynchronousCommits() {
        int atDefaultDelay = Math.min(500, COMMITS / 4);
        run("off", atDefaultDelay);
        walWriterDelay("10ms");
        run("off", COMMITS / 2 - atDefaultDelay);
    }

    @Test
    void whileAnotherSessionIsIdleInATransaction() throws SQLException {
        try (Connection other = DriverManager.getConnection(
                        this.primary.jdbcUrl(), this.primary.username(), this.primary.password());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.executeUpdate("insert into other_session values (1)");
            run("on", COMMITS / 4);
            other.rollback();
        }
    }

    private void run(String synchronousCommit, int commits) {
        for (int done = 0; done < commits; done += BATCH) {
            runBatch(synchronousCommit, Math.min(BATCH, commits - done));
        }
    }

    private void runBatch(String synchronousCommit, int commits) {
        this.onReplicas.set(0);
        ExecutorService executor = Executors.newFixedThreadPool(SESSIONS);
        List<CompletableFuture<Lsn>> clients = new ArrayList<>();
        try {
            for (int i = 0; i < SESSIONS; i++) {
                int count = commits / SESSIONS;
                Random random = new Random(i);
                clients.add(CompletableFuture.supplyAsync(() -> client(synchronousCommit, count, random), executor));
            }
            clients.forEach(CompletableFuture::join);
        } finally {
            executor.shutdownNow();
        }
        Lsn highest = clients.stream()
                .map(CompletableFuture::join)
                .max((one, other) -> one.isAtOrPast(other) ? 1 : -1)
                .orElseThrow();
        long reached = awaitReplayed(highest);
        logger.info(
                "{} commits with synchronous_commit={}: {} misses, {} reads on replicas, all floors reached after {} ms",
                commits,
                synchronousCommit,
                this.misses,
                this.onReplicas,
                reached);
        assertThat(this.misses).as("reads that missed the write").hasValue(0);
        assertThat(this.lowFloors)
                .as("floors below the transaction's last position")
                .hasValue(0);
        assertThat(this.onReplicas.get())
                .as("reads on replicas")
                .isGreaterThanOrEqualTo(commits / SESSIONS * SESSIONS * 95 / 100);
    }

    private long awaitReplayed(Lsn position) {
        long begun = System.nanoTime();
        await().atMost(REACH)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> this.postgres.replicas().stream()
                        .allMatch(replica -> Lsn.parse(replica.replayLsn()).isAtOrPast(position)));
        return (System.nanoTime() - begun) / 1_000_000;
    }

    private Lsn client(String synchronousCommit, int commits, Random random) {
        FreshnessSession session = FreshnessSession.ofNewClient();
        try (ThreadScope request = ThreadScope.open(session)) {
            for (int i = 0; i < commits; i++) {
                int id = this.ids.incrementAndGet();
                String filling = "x".repeat(random.nextInt(2000));
                Lsn last = insert(synchronousCommit, id, filling);
                if (!(session.floor("default") instanceof Floor.At floor)
                        || last.isAtOrPast(floor.position().lsn())) {
                    this.lowFloors.incrementAndGet();
                }
                read(id, filling);
            }
        }
        return ((Floor.At) session.floor("default")).position().lsn();
    }

    private Lsn insert(String synchronousCommit, int id, String filling) {
        return this.transactions.execute(status -> {
            this.jdbc.sql("set local synchronous_commit = " + synchronousCommit).update();
            this.jdbc
                    .sql("insert into commit_loop values (?, ?)")
                    .params(id, filling)
                    .update();
            return Lsn.parse(this.jdbc
                    .sql("select pg_current_wal_insert_lsn()::text")
                    .query(String.class)
                    .single());
        });
    }

    private void read(int id, String filling) {
        this.operations.read(
                FreshnessMode.READ_YOUR_WRITES,
                () -> this.jdbc
                        .sql("select pg_is_in_recovery(), (select filling from commit_loop where id = ?)")
                        .param(id)
                        .query((row, number) -> {
                            if (row.getBoolean(1)) {
                                this.onReplicas.incrementAndGet();
                            }
                            if (!filling.equals(row.getString(2))) {
                                this.misses.incrementAndGet();
                            }
                            return id;
                        })
                        .single());
    }

    /** There the insert position includes the next page's header, which no standby reaches while the writer is idle. */
    @ParameterizedTest
    @ValueSource(strings = {"on", "off"})
    void aCommitRecordThatEndsOnAPageEnd(String synchronousCommit) {
        FreshnessSession session = FreshnessSession.ofNewClient();
        int hits = 0;
        long commitSize = 0;
        try (ThreadScope request = ThreadScope.open(session)) {
            for (int attempt = 0; attempt < 200 && hits < 3; attempt++) {
                int id = this.ids.incrementAndGet();
                long sizeBefore = commitSize;
                long before = this.transactions.execute(status -> paddedInsert(synchronousCommit, id, sizeBefore));
                long after = Lsn.parse(this.primary.query("select pg_current_wal_insert_lsn()"))
                        .value();
                commitSize = after - before;
                if (after % 8192 == 24) {
                    hits++;
                    commitSize -= 24;
                    Lsn floor = ((Floor.At) session.floor("default")).position().lsn();
                    awaitReplayed(floor);
                    assertThat(floor.value()).isGreaterThan(before);
                    read(id, "");
                }
            }
        }
        assertThat(hits).as("commit records on a page end").isEqualTo(3);
        assertThat(this.misses).hasValue(0);
    }

    /** Fills the page so far that a commit record of the given size is the last thing on it. */
    private long paddedInsert(String synchronousCommit, int id, long commitSize) {
        this.jdbc.sql("set local synchronous_commit = " + synchronousCommit).update();
        this.jdbc.sql("insert into commit_loop values (?, '')").param(id).update();
        long before = insertPosition();
        emit(64);
        long at = insertPosition();
        // What a message costs beyond its text, in multiples of eight, unless it crossed a page.
        long overhead = at - before - 64;
        long room = 8192 - at % 8192 - commitSize - overhead;
        if (overhead > 0 && overhead < 100 && room >= 16) {
            emit((int) room);
        }
        return insertPosition();
    }

    private void emit(int bytes) {
        this.jdbc
                .sql("select pg_logical_emit_message(true, 'padding', repeat('x', ?))")
                .param(bytes)
                .query(Object.class)
                .single();
    }

    private long insertPosition() {
        return Lsn.parse(this.jdbc
                        .sql("select pg_current_wal_insert_lsn()::text")
                        .query(String.class)
                        .single())
                .value();
    }
}
