/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.FailedObservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads of one session never go back behind what earlier ones have shown, whichever node serves them. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class MonotonicReadTests extends ReplicationBed {

    private static final int READS = 10_000;

    @Autowired
    FreshnessOperations operations;

    @Autowired
    JdbcClient jdbc;

    private FreshnessContract eventual() {
        return this.operations.contract(FreshnessMode.EVENTUAL).withMaxStaleness(Duration.ofMinutes(1));
    }

    private Where read(FreshnessSession session, FreshnessContract contract) {
        try (ThreadScope request = ThreadScope.open(session)) {
            return this.operations.read(contract, () -> Where.read(this.jdbc, 1));
        }
    }

    /** Reads in one session, while somebody else counts up and one replica is 50 ms behind the other. */
    private List<Where> readsOfOneSession(FreshnessContract contract) throws InterruptedException {
        FreshnessSession session = FreshnessSession.ofNewClient();
        this.primary.execute("update item set name = '0' where id = 1");
        this.postgres.replicas().get(1).applyDelay(Duration.ofMillis(50));
        AtomicBoolean goOn = new AtomicBoolean(true);
        Thread writer = new Thread(() -> {
            while (goOn.get()) {
                this.primary.execute("update item set name = (name::int + 1)::text where id = 1");
            }
        });
        List<Where> reads = new ArrayList<>();
        this.postgres.awaitCaughtUp();
        writer.start();
        try {
            while (reads.size() < READS) {
                reads.add(read(session, contract));
            }
        } finally {
            goOn.set(false);
            writer.join();
        }
        return reads;
    }

    private static long stepsBack(List<Where> reads) {
        long back = 0;
        for (int i = 1; i < reads.size(); i++) {
            back += number(reads.get(i)) < number(reads.get(i - 1)) ? 1 : 0;
        }
        return back;
    }

    private static int number(Where where) {
        return where.value() == null ? -1 : Integer.parseInt(where.value());
    }

    @Test
    void eventualReadsGoBackUnlessTheyAreMonotonic() throws Exception {
        List<Where> control = readsOfOneSession(eventual());
        assertThat(control).allMatch(Where::inRecovery);
        assertThat(stepsBack(control)).as("control").isPositive();
        List<Where> monotonic = readsOfOneSession(eventual().withMonotonic(true));
        assertThat(stepsBack(monotonic)).isZero();
        assertThat(monotonic.stream().filter(Where::inRecovery).count())
                .as("on replicas")
                .isGreaterThan(READS / 2);
    }

    @Test
    void readsOfOwnWritesNeverGoBack() throws Exception {
        FreshnessContract contract = this.operations.contract(FreshnessMode.READ_YOUR_WRITES);
        List<Where> reads = readsOfOneSession(contract);
        assertThat(stepsBack(reads)).isZero();
        assertThat(reads.stream().filter(Where::inRecovery).count()).isGreaterThan(READS / 2);
    }

    /** The writer is ahead of every replica, and who has read there may not be sent back. */
    @Test
    void aReadOnTheWriterIsNotFollowedByAnOlderOne() {
        FreshnessSession session = FreshnessSession.ofNewClient();
        FreshnessContract monotonic = eventual().withMonotonic(true);
        this.postgres.replicas().forEach(PostgresNode::pauseReplay);
        this.primary.execute("update item set name = 'new' where id = 1");
        FreshnessContract strict = monotonic.withMaxStaleness(Duration.ofNanos(1));
        assertOnWriter(read(session, strict));
        assertThat(read(session, eventual()).value()).as("control").isEqualTo("old");
        Where where = read(session, monotonic);
        assertOnWriter(where);
        assertThat(where.value()).isEqualTo("new");
        assertThat(read(FreshnessSession.ofNewClient(), monotonic).value())
                .as("another session")
                .isEqualTo("old");
        resumeReplicas();
        await().atMost(DEADLINE).until(() -> read(session, monotonic).inRecovery());
        assertThat(read(session, monotonic).value()).isEqualTo("new");
    }

    /** The node that served is gone with its position: only what the writer has flushed is sure to be enough. */
    @Test
    void aReadOnAReplicaThatIsGoneIsNotFollowedByAnOlderOne() {
        FreshnessContract monotonic = eventual().withMonotonic(true);
        PostgresNode ahead = this.postgres.replica("replica-1");
        this.postgres.replica("replica-2").pauseReplay();
        this.primary.execute("update item set name = 'new' where id = 1");
        ahead.awaitReplayed(this.primary.flushLsn());
        FreshnessSession session;
        Where shown;
        do {
            session = FreshnessSession.ofNewClient();
            shown = read(session, monotonic);
        } while (shown.port() != ahead.port());
        assertThat(shown.value()).isEqualTo("new");
        ahead.stop();
        try {
            await().atMost(DEADLINE)
                    .until(() -> this.database.state().replicas().get(0).observation() instanceof FailedObservation);
            Where after = read(session, monotonic.withWaitBudget(Duration.ZERO));
            assertThat(after.value()).isEqualTo("new");
            assertOnWriter(after);
            assertThat(read(session, eventual()).value()).as("control").isEqualTo("old");
        } finally {
            ahead.start();
        }
    }
}
