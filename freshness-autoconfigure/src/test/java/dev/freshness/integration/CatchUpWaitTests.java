/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.OnUnmet;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A read waits for a replica to reach its client's own writes, and nothing is held meanwhile. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class CatchUpWaitTests extends ReplicationBed {

    private static final Duration LONG = Duration.ofMinutes(2);

    @Autowired
    FreshnessOperations operations;

    @Autowired
    FreshnessRoutingDataSource dataSource;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    MeterRegistry meters;

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    private final AtomicReference<Thread> reader = new AtomicReference<>();

    @BeforeEach
    void behind() {
        pauseReplicas();
    }

    @AfterEach
    void monitorRuns() {
        this.database.start();
    }

    private FreshnessContract readYourWrites(Duration waitBudget) {
        return this.operations.contract(FreshnessMode.READ_YOUR_WRITES).withWaitBudget(waitBudget);
    }

    /** Uses its budget whatever the replicas' rates, as it has nothing better to do. */
    private FreshnessContract patient() {
        return readYourWrites(LONG).withOnUnmet(OnUnmet.REJECT);
    }

    private CompletableFuture<Where> readInBackground(Supplier<Where> read) {
        CompletableFuture<Where> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try (ThreadScope request = ThreadScope.open(this.session)) {
                result.complete(read.get());
            } catch (Throwable ex) {
                result.completeExceptionally(ex);
            }
        });
        this.reader.set(thread);
        thread.start();
        return result;
    }

    private void awaitWaiting() {
        await().atMost(DEADLINE).until(() -> {
            Object blocker = LockSupport.getBlocker(this.reader.get());
            return blocker != null && blocker.getClass().getSimpleName().equals("CatchUpWaits");
        });
    }

    private void write(String name) {
        try (ThreadScope request = ThreadScope.open(this.session)) {
            this.items.write(1, name);
        }
    }

    private long count(String meter, String... tags) {
        Timer timer = this.meters.find(meter).tags(tags).timer();
        return timer == null ? 0 : timer.count();
    }

    private double decisions(String outcome) {
        return this.meters.find("freshness.decisions").tag("outcome", outcome).functionCounters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private int active() {
        return this.dataSource.pools().stream()
                .map(pool -> ((HikariDataSource) pool.dataSource()).getHikariPoolMXBean())
                .mapToInt(pool -> pool == null ? 0 : pool.getActiveConnections())
                .sum();
    }

    @Test
    void aReplicaThatCatchesUpInTimeAnswers() throws Exception {
        write("new");
        assertThat(request(() -> this.items.eventual(1)).value()).isEqualTo("old");
        double before = decisions("replica_after_wait");
        long waits = count("freshness.wait", "outcome", "reached");
        CompletableFuture<Where> read =
                readInBackground(() -> this.operations.read(patient(), () -> Where.read(this.jdbc, 1)));
        awaitWaiting();
        assertThat(active()).isZero();
        resumeReplicas();
        Where where = read.get();
        assertOnReplica(where);
        assertThat(where.value()).isEqualTo("new");
        assertThat(decisions("replica_after_wait")).isEqualTo(before + 1);
        assertThat(count("freshness.wait", "outcome", "reached")).isEqualTo(waits + 1);
    }

    @Test
    void oneReplicaThatCatchesUpIsEnough() throws Exception {
        write("new");
        CompletableFuture<Where> read =
                readInBackground(() -> this.operations.read(patient(), () -> Where.read(this.jdbc, 1)));
        awaitWaiting();
        this.postgres.replicas().get(1).resumeReplay();
        Where where = read.get();
        assertThat(where.port()).isEqualTo(this.postgres.replicas().get(1).port());
        assertThat(where.value()).isEqualTo("new");
    }

    @Test
    void aBudgetThatIsUsedUpLeavesTheReadToItsPolicy() {
        write("new");
        long waits = count("freshness.wait", "outcome", "exhausted");
        try (ThreadScope request = ThreadScope.open(this.session)) {
            FreshnessContract contract = readYourWrites(Duration.ofMillis(1));
            Where where = this.operations.read(contract, () -> Where.read(this.jdbc, 1));
            assertOnWriter(where);
            assertThat(where.value()).isEqualTo("new");
            assertThatThrownBy(() ->
                            this.operations.read(contract.withOnUnmet(OnUnmet.REJECT), () -> Where.read(this.jdbc, 1)))
                    .isInstanceOf(StaleReadNotAllowedException.class)
                    .hasMessageContaining("behind-floor");
        }
        // The first may have been told that it waits in vain.
        assertThat(count("freshness.wait", "outcome", "exhausted")).isBetween(waits + 1, waits + 2);
    }

    @Test
    void aBudgetOfZeroWaitsForNothing() {
        write("new");
        long waits = waits();
        try (ThreadScope request = ThreadScope.open(this.session)) {
            assertOnWriter(this.operations.read(readYourWrites(Duration.ZERO), () -> Where.read(this.jdbc, 1)));
        }
        assertThat(waits()).isEqualTo(waits);
    }

    /** Nobody is behind at first, so nobody is known to be slow; then both are, and stand still. */
    @Test
    void aWaitForReplicasThatStandStillEndsOnceThatIsKnown() throws Exception {
        WalPosition ahead = positionAhead(1 << 20);
        long waits = count("freshness.wait", "outcome", "hopeless");
        CompletableFuture<Where> read = readInBackground(() -> {
            this.operations.require(ahead);
            return this.operations.read(readYourWrites(LONG), () -> Where.read(this.jdbc, 1));
        });
        awaitWaiting();
        write("new");
        Where where = read.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        assertOnWriter(where);
        assertThat(where.value()).isEqualTo("new");
        assertThat(count("freshness.wait", "outcome", "hopeless")).isEqualTo(waits + 1);
    }

    @Test
    void replicasThatAreKnownToStandStillAreNotWaitedFor() {
        write("new");
        awaitRates(rate -> rate == 0);
        long waits = waits();
        try (ThreadScope request = ThreadScope.open(this.session)) {
            Where where = this.operations.read(readYourWrites(LONG), () -> Where.read(this.jdbc, 1));
            assertOnWriter(where);
            assertThat(where.value()).isEqualTo("new");
            assertThat(this.items.eventual(1).value()).isEqualTo("old");
        }
        assertThat(waits()).isEqualTo(waits);
    }

    @Test
    void oneReplicaThatIsNotKnownToStandStillIsWaitedFor() throws Exception {
        write("new");
        awaitRates(rate -> rate == 0);
        PostgresNode other = this.postgres.replicas().get(1);
        other.resumeReplay();
        await().atMost(DEADLINE)
                .until(() -> this.database.state().replicas().get(1).replayRate() == ReplicaState.UNKNOWN_RATE);
        WalPosition ahead = positionAhead(1 << 20);
        CompletableFuture<Where> read = readInBackground(() -> {
            this.operations.require(ahead);
            return this.operations.read(readYourWrites(LONG), () -> Where.read(this.jdbc, 1));
        });
        awaitWaiting();
        while (Lsn.parse(this.primary.flushLsn()).bytesPast(ahead.lsn()) == 0) {
            this.primary.execute("select pg_logical_emit_message(true, 'filler', repeat('x', 100000))");
        }
        Where where = read.get();
        assertThat(where.port()).isEqualTo(other.port());
        assertThat(where.value()).isEqualTo("new");
    }

    /** A pause that is over is no reason to expect the next. */
    @Test
    void aReplicaThatGoesOnIsWaitedForAgain() throws Exception {
        write("new");
        awaitRates(rate -> rate == 0);
        resumeReplicas();
        awaitRates(rate -> rate == ReplicaState.UNKNOWN_RATE);
        this.postgres.replicas().forEach(replica -> replica.applyDelay(Duration.ofMillis(20)));
        int reads = 30;
        int onReplicas = 0;
        long gaveUp = count("freshness.wait", "outcome", "hopeless");
        for (int i = 0; i < reads; i++) {
            write("new " + i);
            try (ThreadScope request = ThreadScope.open(this.session)) {
                Where where = this.operations.read(readYourWrites(LONG), () -> Where.read(this.jdbc, 1));
                assertThat(where.value()).isEqualTo("new " + i);
                onReplicas += where.inRecovery() ? 1 : 0;
            }
        }
        // A machine that stops for a while can make them look as if they stood still.
        assertThat(onReplicas).isGreaterThanOrEqualTo(reads * 9 / 10);
        assertThat(count("freshness.wait", "outcome", "hopeless") - gaveUp).isLessThanOrEqualTo(reads - onReplicas);
    }

    private void awaitRates(LongPredicate rate) {
        await().atMost(DEADLINE)
                .until(() ->
                        this.database.state().replicas().stream().allMatch(replica -> rate.test(replica.replayRate())));
    }

    private WalPosition positionAhead(int bytes) {
        PrimaryObservation writer = (PrimaryObservation)
                Objects.requireNonNull(this.database.state().writer());
        return new WalPosition(
                writer.identity().systemIdentifier(),
                writer.timeline(),
                new Lsn(Lsn.parse(this.primary.flushLsn()).value() + bytes));
    }

    private long waits() {
        return this.meters.find("freshness.wait").timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() throws Exception {
        write("new");
        FreshnessContract contract = patient();
        CompletableFuture<Where> read = readInBackground(() -> {
            try {
                return this.operations.read(contract, () -> Where.read(this.jdbc, 1));
            } catch (StaleReadNotAllowedException ex) {
                return new Where(false, 0, 0, Thread.currentThread().isInterrupted() ? "interrupted" : "not");
            }
        });
        awaitWaiting();
        this.reader.get().interrupt();
        assertThat(read.get().value()).isEqualTo("interrupted");
    }

    @Test
    void theEndOfTheMonitorEndsTheWait() throws Exception {
        write("new");
        CompletableFuture<Where> read =
                readInBackground(() -> this.operations.read(patient(), () -> Where.read(this.jdbc, 1)));
        awaitWaiting();
        this.database.stop();
        assertThatThrownBy(read::get).hasCauseInstanceOf(StaleReadNotAllowedException.class);
    }

    @Test
    void anIdleConnectionOfTheWriterIsGivenBackBeforeTheWait() throws Exception {
        CompletableFuture<Where> read = readInBackground(() -> {
            try (Connection connection = this.dataSource.getConnection()) {
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate("update item set name = 'new' where id = 1");
                }
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate("update item set name = 'newer' where id = 1");
                }
                connection.commit();
                connection.setAutoCommit(true);
                JdbcClient held = JdbcClient.create(
                        new org.springframework.jdbc.datasource.SingleConnectionDataSource(connection, true));
                return this.operations.read(patient(), () -> Where.read(held, 1));
            } catch (SQLException ex) {
                throw new IllegalStateException(ex);
            }
        });
        awaitWaiting();
        assertThat(active()).isZero();
        resumeReplicas();
        Where where = read.get();
        assertOnReplica(where);
        assertThat(where.value()).isEqualTo("newer");
    }

    /** As in a listener after the commit: the transaction is over, its connection still bound. */
    @Test
    void aConnectionThatIsOnlyBoundAfterItsCommitIsGivenBackBeforeTheWait() throws Exception {
        FreshnessContract contract = readYourWrites(LONG).withOnUnmet(OnUnmet.REJECT);
        CompletableFuture<Where> fromCallback = new CompletableFuture<>();
        CompletableFuture<Where> write = readInBackground(() -> this.calls.unmarkedTransaction(() -> {
            this.items.write(1, "new");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    fromCallback.complete(CatchUpWaitTests.this.operations.read(
                            contract, () -> CatchUpWaitTests.this.items.inNewReadOnlyTransaction(1)));
                }
            });
            return Where.read(this.jdbc, 1);
        }));
        awaitWaiting();
        assertThat(active()).isZero();
        assertThat(request(() -> this.items.eventual(1)).value()).isEqualTo("old");
        resumeReplicas();
        Where where = fromCallback.get();
        assertOnReplica(where);
        assertThat(where.value()).isEqualTo("new");
        assertOnWriter(write.get());
    }

    /** Where nobody may fall back to the writer, one sample of it tells what to wait for. */
    @Test
    void aRefusingReadGivesAnUnknownFloorAPosition() {
        resumeReplicas();
        FreshnessContract contract = patient();
        Where afterAutoCommit = request(() -> {
            this.items.writeWithoutTransaction(1, "new");
            return this.operations.read(contract, () -> Where.read(this.jdbc, 1));
        });
        assertOnReplica(afterAutoCommit);
        assertThat(afterAutoCommit.value()).isEqualTo("new");
        this.primary.execute("update item set name = 'by somebody' where id = 1");
        Where onABareThread = this.operations.read(contract, () -> Where.read(this.jdbc, 1));
        assertOnReplica(onABareThread);
        assertThat(onABareThread.value()).isEqualTo("by somebody");
    }

    @Test
    void aWriteElsewhereThatIsToldIsSeen() {
        Where read = request(() -> {
            this.primary.execute("update item set name = 'elsewhere' where id = 1");
            assertThat(this.items.readYourWrites(1).value()).isEqualTo("old");
            this.operations.markWritten("default");
            assertThat(this.items.eventual(1).value()).isEqualTo("old");
            return this.items.readYourWrites(1);
        });
        assertOnWriter(read);
        assertThat(read.value()).isEqualTo("elsewhere");
    }

    @Test
    void aPositionThatIsRequiredIsWaitedFor() throws Exception {
        this.primary.execute("update item set name = 'elsewhere' where id = 1");
        WalPosition position = positionAhead(0);
        CompletableFuture<Where> read = readInBackground(() -> {
            this.operations.require(position);
            return this.operations.read(patient(), () -> Where.read(this.jdbc, 1));
        });
        awaitWaiting();
        assertThat(this.session.floor("default")).isEqualTo(new Floor.At(position));
        resumeReplicas();
        assertOnReplica(read.get());
        assertThat(read.get().value()).isEqualTo("elsewhere");
    }

    @Test
    void anUnknownDatabaseIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> this.operations.markWritten("orders"))
                .withMessageContaining("'orders'")
                .withMessageContaining("default");
    }
}
