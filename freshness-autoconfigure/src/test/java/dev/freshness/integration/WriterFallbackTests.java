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
import dev.freshness.WriterFallbackExhaustedException;
import dev.freshness.test.ReplicatedPostgresTest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** How many reads fall back to the writer, and who need not wait for that. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class WriterFallbackTests extends ReplicationBed {

    private static final Duration LONG = Duration.ofMinutes(2);

    @Autowired
    FreshnessOperations operations;

    @Autowired
    PlatformTransactionManager transactions;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    MeterRegistry meters;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final CountDownLatch done = new CountDownLatch(1);

    private final List<CompletableFuture<Where>> holding = new ArrayList<>();

    private int limit;

    @BeforeEach
    void behind() {
        this.limit = this.database.fallbacks().limits().maxConcurrent();
        pauseReplicas();
    }

    @AfterEach
    void letGo() throws InterruptedException {
        this.done.countDown();
        this.threads.shutdown();
        assertThat(this.threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        await().atMost(DEADLINE).until(() -> this.database.fallbacks().active() == 0);
    }

    private FreshnessContract withoutWait() {
        return this.operations.contract(FreshnessMode.READ_YOUR_WRITES).withWaitBudget(Duration.ZERO);
    }

    /** As a web request does it: a write, then reads that no paused replica can answer. */
    private <T> T afterWrite(Supplier<T> work) {
        return request(() -> {
            this.items.write(1, "new");
            return work.get();
        });
    }

    private <T> T readOnly(int propagation, int timeoutSeconds, Supplier<T> work) {
        TransactionTemplate template = new TransactionTemplate(this.transactions);
        template.setReadOnly(true);
        template.setPropagationBehavior(propagation);
        template.setTimeout(timeoutSeconds);
        return template.execute(status -> work.get());
    }

    private <T> T inNewTransaction(Supplier<T> work) {
        return readOnly(TransactionDefinition.PROPAGATION_REQUIRES_NEW, TransactionDefinition.TIMEOUT_DEFAULT, work);
    }

    private Where read() {
        return Where.read(this.jdbc, 1);
    }

    /** As many reads on the writer as may be there, which stay there until the test lets go. */
    private void exhaust(int reads) {
        for (int i = 0; i < reads; i++) {
            this.holding.add(CompletableFuture.supplyAsync(
                    () -> afterWrite(() -> this.operations.read(
                            withoutWait(),
                            () -> inNewTransaction(() -> {
                                Where where = read();
                                awaitDone();
                                return where;
                            }))),
                    this.threads));
        }
        await().atMost(DEADLINE).until(() -> this.database.fallbacks().active() == reads);
    }

    private void awaitDone() {
        try {
            assertThat(this.done.await(2, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    private double gauge() {
        return this.meters
                .get("freshness.writer.fallback.active")
                .tag("database", "default")
                .gauge()
                .value();
    }

    private double rejected() {
        return this.meters
                .get("freshness.writer.fallback.rejected")
                .tag("database", "default")
                .functionCounter()
                .count();
    }

    private long waits() {
        return this.meters.find("freshness.wait").timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    @Test
    void aReadBeyondTheLimitIsRefused() throws Exception {
        exhaust(this.limit);
        double before = rejected();
        assertThat(gauge()).isEqualTo(this.limit);
        assertThatThrownBy(() ->
                        afterWrite(() -> this.operations.read(withoutWait(), () -> inNewTransaction(this::read))))
                .isInstanceOf(WriterFallbackExhaustedException.class)
                .hasMessageContaining("behind-floor")
                .hasMessageContaining("freshness.writer-fallback.max-concurrent");
        assertThat(rejected()).isEqualTo(before + 1);
        assertThat(gauge()).isEqualTo(this.limit);
        this.done.countDown();
        for (CompletableFuture<Where> read : this.holding) {
            assertOnWriter(read.get());
            assertThat(read.get().value()).isEqualTo("new");
        }
        assertThat(request(() -> this.items.eventual(1)).value()).as("control").isEqualTo("old");
        await().atMost(DEADLINE).until(() -> gauge() == 0);
        assertOnWriter(afterWrite(() -> this.operations.read(withoutWait(), () -> inNewTransaction(this::read))));
    }

    @Test
    void whoInsistsOnTheWriterIsNotLimited() {
        exhaust(this.limit);
        assertOnWriter(request(() -> this.items.authoritative(1)));
        assertOnWriter(request(() -> this.items.unmarkedInTransaction(1)));
        assertOnWriter(request(() -> this.items.unmarked(1)));
        assertOnWriter(request(() -> this.items.eventualInReadWriteTransaction(1)));
        request(() -> {
            this.items.write(1, "newer");
            return null;
        });
        assertThat(gauge()).isEqualTo(this.limit);
    }

    @Test
    void aReadWithoutATransactionHoldsItsPermitForOneStatement() {
        exhaust(this.limit - 1);
        Where where = afterWrite(() -> this.operations.read(withoutWait(), () -> {
            Where first = read();
            assertThat(gauge()).isEqualTo(this.limit - 1);
            assertThat(read().pid()).isPositive();
            return first;
        }));
        assertOnWriter(where);
        assertThat(gauge()).isEqualTo(this.limit - 1);
    }

    /** Others may be waiting for the connection that it holds. */
    @Test
    void aThreadWithAnOpenTransactionOnTheWriterTakesTheNextAtOnce() throws Exception {
        exhaust(this.limit);
        FreshnessContract patient = withoutWait().withWaitBudget(LONG);
        long waits = waits();
        CompletableFuture<Where> nested = CompletableFuture.supplyAsync(
                () -> afterWrite(() -> this.calls.unmarkedTransaction(() -> {
                    assertOnWriter(read());
                    return this.operations.read(
                            patient,
                            () -> inNewTransaction(() -> {
                                Where where = read();
                                assertThat(gauge()).isEqualTo(this.limit + 1);
                                return where;
                            }));
                })),
                this.threads);
        assertOnWriter(nested.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
        assertThat(waits()).as("catch-up waits").isEqualTo(waits);
        assertThat(gauge()).isEqualTo(this.limit);
        CompletableFuture<Where> refused = CompletableFuture.supplyAsync(
                () -> afterWrite(() -> this.calls.unmarkedTransaction(() -> {
                    assertOnWriter(read());
                    return this.operations.read(
                            patient.withOnUnmet(OnUnmet.REJECT), () -> inNewTransaction(this::read));
                })),
                this.threads);
        assertThat(refused)
                .failsWithin(DEADLINE)
                .withThrowableThat()
                .withCauseInstanceOf(StaleReadNotAllowedException.class);
    }

    @Test
    void aThreadWithAPermitTakesTheNextAtOnce() throws Exception {
        exhaust(this.limit - 1);
        long waits = waits();
        CompletableFuture<Where> nested = CompletableFuture.supplyAsync(
                () -> afterWrite(() -> this.operations.read(
                        withoutWait(),
                        () -> inNewTransaction(() -> {
                            assertOnWriter(read());
                            assertThat(gauge()).isEqualTo(this.limit);
                            return this.operations.read(
                                    withoutWait(),
                                    () -> inNewTransaction(() -> {
                                        Where where = read();
                                        assertThat(gauge()).isEqualTo(this.limit + 1);
                                        return where;
                                    }));
                        }))),
                this.threads);
        assertOnWriter(nested.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
        assertThat(waits()).isEqualTo(waits);
        assertThat(gauge()).isEqualTo(this.limit - 1);
    }

    @Test
    void theTransactionsTimeoutEndsACatchUpWait() {
        FreshnessContract patient = withoutWait().withWaitBudget(LONG).withOnUnmet(OnUnmet.REJECT);
        CompletableFuture<Where> read = CompletableFuture.supplyAsync(
                () -> afterWrite(() -> this.operations.read(
                        patient, () -> readOnly(TransactionDefinition.PROPAGATION_REQUIRED, 1, this::read))),
                this.threads);
        assertThat(read)
                .failsWithin(DEADLINE)
                .withThrowableThat()
                .withCauseInstanceOf(StaleReadNotAllowedException.class);
    }
}
