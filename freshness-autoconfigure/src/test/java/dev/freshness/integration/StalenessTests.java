/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.OnUnmet;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.FailedObservation;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

/** How old an answer can be is told from the positions of the writer and the replica, and what is too old is not served. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class StalenessTests extends ReplicationBed {

    /** More than a replica that keeps up can have, a delayed probe included. */
    private static final Duration BOUND = Duration.ofSeconds(2);

    private static final int READS = 20;

    /** Less than the fifteen seconds after which a server writes and flushes something by itself. */
    private static final Duration REACH = Duration.ofSeconds(5);

    @Autowired
    FreshnessOperations operations;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    MeterRegistry meters;

    /** Ways in which a replica gets nothing new, while it goes on answering. */
    enum Fault {
        REPLAY_PAUSED,
        LINK_CUT,
        SENDER_FROZEN;

        void begin(PostgresNode node) {
            switch (this) {
                case REPLAY_PAUSED -> node.pauseReplay();
                case LINK_CUT -> node.cutWalLink();
                case SENDER_FROZEN -> node.freezeWalSender();
            }
        }

        void end(PostgresNode node) {
            switch (this) {
                case REPLAY_PAUSED -> node.resumeReplay();
                case LINK_CUT -> node.restoreWalLink();
                case SENDER_FROZEN -> node.unfreezeWalSender();
            }
        }
    }

    private Where read(FreshnessContract contract) {
        return this.operations.read(contract, () -> Where.read(this.jdbc, 1));
    }

    private FreshnessContract eventual() {
        return this.operations.contract(FreshnessMode.EVENTUAL);
    }

    private FreshnessContract readYourWrites(Duration waitBudget) {
        return this.operations.contract(FreshnessMode.READ_YOUR_WRITES).withWaitBudget(waitBudget);
    }

    private double staleness(PostgresNode node) {
        return this.meters
                .get("freshness.replica.staleness")
                .tag("node", node.name())
                .gauge()
                .value();
    }

    private void awaitTooStale(PostgresNode node) {
        await().atMost(DEADLINE).until(() -> staleness(node) > BOUND.toSeconds());
    }

    private double decisions(String outcome) {
        return this.meters.find("freshness.decisions").tag("outcome", outcome).functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    @ParameterizedTest
    @EnumSource
    void aReplicaThatGetsNothingServesNoFloorAndIsLeftWhenItIsTooStale(Fault fault) {
        PostgresNode faulty = this.postgres.replica("replica-1");
        PostgresNode other = this.postgres.replica("replica-2");
        this.postgres.replicas().forEach(fault::begin);
        FreshnessSession client = FreshnessSession.ofNewClient();
        try (ThreadScope request = ThreadScope.open(client)) {
            this.items.write(1, "new");
        }
        if (fault == Fault.LINK_CUT) {
            assertThat(faulty.receiveLsn()).as("it looks caught up").isEqualTo(faulty.replayLsn());
        }
        assertEachRead(this.primary, () -> readOf(client));
        // The control: whoever may be served the old row is.
        Where control = read(eventual());
        assertOnReplica(control);
        assertThat(control.value()).isEqualTo("old");
        this.postgres.replicas().forEach(this::awaitTooStale);
        assertEachRead(this.primary, () -> read(eventual().withMaxStaleness(BOUND)));
        assertEachRead(this.primary, () -> readOf(FreshnessSession.ofNewClient()));

        fault.end(other);
        awaitEligibleReplicas(1);
        assertEachRead(other, () -> readOf(client));
        assertEachRead(other, () -> read(eventual().withMaxStaleness(BOUND)));
        assertEachRead(other, () -> readOf(FreshnessSession.ofNewClient()));
        fault.end(faulty);
        awaitEligibleReplicas(2);
        fault.begin(other);
        this.primary.execute("update item set name = 'new' where id = 1");
        awaitTooStale(other);
        assertEachRead(faulty, () -> readOf(client));
    }

    private void assertEachRead(PostgresNode node, Supplier<Where> read) {
        for (int i = 0; i < READS; i++) {
            Where where = read.get();
            assertThat(where.port()).isEqualTo(node.port());
            assertThat(where.value()).isEqualTo("new");
        }
    }

    private Where readOf(FreshnessSession client) {
        try (ThreadScope request = ThreadScope.open(client)) {
            return read(readYourWrites(Duration.ZERO).withMaxStaleness(BOUND));
        }
    }

    /** Its records lie beyond the flush position, and no standby gets them for ten seconds and more. */
    @Test
    void anotherSessionThatIsIdleInATransactionMakesNoReplicaStale() throws SQLException {
        this.primary.execute("create table if not exists other_session (id int)");
        try (Connection other = this.primary.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            await().during(BOUND.multipliedBy(2))
                    .atMost(DEADLINE)
                    .pollInterval(Duration.ofMillis(100))
                    .untilAsserted(() -> {
                        statement.executeUpdate("insert into other_session values (1)");
                        assertThat(this.primary.insertLsn()).isNotEqualTo(this.primary.flushLsn());
                        for (PostgresNode replica : this.postgres.replicas()) {
                            assertThat(staleness(replica)).isLessThan((double) BOUND.toSeconds());
                        }
                        assertOnReplica(read(eventual().withMaxStaleness(BOUND)));
                    });
            other.rollback();
        }
    }

    /** The insert position would include what the other session has written, and no standby gets that now. */
    @Test
    void floorsAreReachedThoughAnotherSessionWritesWithoutACommit() throws SQLException {
        this.primary.execute("create table if not exists other_session (id int)");
        try (Connection other = this.primary.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            for (int i = 0; i < READS; i++) {
                String name = "new " + i;
                request(() -> {
                    writeWhileAnotherSessionWrites(name, statement);
                    Where where = read(readYourWrites(REACH));
                    assertOnReplica(where);
                    assertThat(where.value()).isEqualTo(name);
                    return null;
                });
            }
            other.rollback();
        }
    }

    private void writeWhileAnotherSessionWrites(String name, Statement other) {
        AtomicBoolean goOn = new AtomicBoolean(true);
        CountDownLatch first = new CountDownLatch(1);
        CompletableFuture<Void> inserts = CompletableFuture.runAsync(() -> {
            try {
                while (goOn.get()) {
                    other.executeUpdate("insert into other_session values (1)");
                    first.countDown();
                }
            } catch (SQLException ex) {
                throw new IllegalStateException(ex);
            }
        });
        try {
            assertThat(first.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            this.items.write(1, name);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        } finally {
            goOn.set(false);
            inserts.join();
        }
    }

    @Test
    void aReadThatMayBeStaleIsServedByTheLeastStaleReplicaAndCountedAsStale() {
        PostgresNode staler = this.postgres.replica("replica-1");
        PostgresNode lessStale = this.postgres.replica("replica-2");
        staler.pauseReplay();
        this.primary.execute("update item set name = 'newer' where id = 1");
        lessStale.awaitReplayed(this.primary.flushLsn());
        // So that a sample of the writer lies between the two.
        await().atMost(DEADLINE).until(() -> staleness(staler) > staleness(lessStale));
        lessStale.pauseReplay();
        this.primary.execute("update item set name = 'newest' where id = 1");
        awaitTooStale(lessStale);
        assertThat(staleness(staler)).isGreaterThan(staleness(lessStale));

        FreshnessContract bounded = eventual().withMaxStaleness(BOUND);
        double staleBefore = decisions("stale");
        for (int i = 0; i < READS; i++) {
            Where where = read(bounded.withOnUnmet(OnUnmet.STALE));
            assertThat(where.port()).isEqualTo(lessStale.port());
            assertThat(where.value()).isEqualTo("newer");
        }
        assertThat(decisions("stale") - staleBefore).isEqualTo(READS);
        FreshnessSession request = FreshnessSession.ofNewClient();
        try (ThreadScope scope = ThreadScope.open(request)) {
            assertThat(read(bounded.withOnUnmet(OnUnmet.STALE)).port()).isEqualTo(lessStale.port());
        }
        assertThat(request.servedBy()).containsExactly(lessStale.name() + ";stale");
        Where otherwise = read(bounded);
        assertOnWriter(otherwise);
        assertThat(otherwise.value()).isEqualTo("newest");
        assertThatThrownBy(() -> read(bounded.withOnUnmet(OnUnmet.REJECT)))
                .isInstanceOf(StaleReadNotAllowedException.class);
        assertThat(decisions("stale") - staleBefore).isEqualTo(READS + 1);
    }

    /** For pages that must stay up while the writer is down. */
    @Test
    void aReadThatMayBeStaleIsServedWhileTheWriterIsDown() {
        FreshnessContract bounded = eventual().withMaxStaleness(BOUND);
        this.primary.stop();
        try {
            await().atMost(DEADLINE).until(() -> this.database.state().writer() instanceof FailedObservation);
            this.postgres.replicas().forEach(this::awaitTooStale);
            double staleBefore = decisions("stale");
            for (int i = 0; i < READS; i++) {
                assertOnReplica(read(bounded.withOnUnmet(OnUnmet.STALE)));
            }
            assertThat(decisions("stale") - staleBefore).isEqualTo(READS);
            assertThatThrownBy(() -> read(bounded.withOnUnmet(OnUnmet.REJECT)))
                    .isInstanceOf(StaleReadNotAllowedException.class);
        } finally {
            this.primary.start();
        }
        // The next test finds a pool that works.
        await().atMost(DEADLINE).ignoreExceptions().untilAsserted(() -> this.items.write(1, "again"));
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(
                                read(bounded.withOnUnmet(OnUnmet.REJECT)).value())
                        .isEqualTo("again"));
    }
}
