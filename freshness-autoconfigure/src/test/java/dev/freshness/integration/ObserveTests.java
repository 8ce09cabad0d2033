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
import dev.freshness.actuate.ContractCounts;
import dev.freshness.actuate.FreshnessEndpoint;
import dev.freshness.actuate.RolloutReport;
import dev.freshness.routing.Rollout;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Contracts that are only observed: everything on the writer, nothing refused, and the same counted as if enforced. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            ReplicatedApplication.WITHOUT_JPA,
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.freshness.access=unrestricted",
            "freshness.enforcement=observe",
            "freshness.rollout.max-writer-share=0.5",
            "freshness.writer-fallback.max-concurrent=3"
        })
class ObserveTests extends ReplicationBed {

    @Autowired
    FreshnessEndpoint endpoint;

    @Autowired
    ContractCounts counts;

    @Autowired
    Rollout rollout;

    @Autowired
    FreshnessOperations operations;

    @Autowired
    PlatformTransactionManager transactions;

    @Autowired
    JdbcClient jdbc;

    @BeforeEach
    void forget() {
        this.rollout.change(0);
        this.counts.reset();
    }

    @AfterEach
    void back() {
        this.rollout.change(0);
    }

    private RolloutReport.Line line(String method) {
        return this.endpoint.report().contracts().get("default").entrySet().stream()
                .filter(entry -> entry.getKey().contains(method + " "))
                .map(java.util.Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "No line of " + method + " in " + this.endpoint.report().contracts()));
    }

    @Test
    void everyReadRunsOnTheWriter() {
        for (int i = 0; i < 20; i++) {
            assertOnWriter(request(() -> this.items.eventual(1)));
            assertOnWriter(request(() -> this.items.eventualWithoutTransaction(1)));
            assertOnWriter(request(() -> this.items.readYourWrites(1)));
        }
        assertThat(this.borrows.of("replica-1") + this.borrows.of("replica-2")).isZero();
        assertThat(line("eventual").predicted().replica()).isEqualTo(20);
        assertThat(line("eventual").predictedReplicaShare()).isEqualTo(1.0);
        assertThat(line("eventual").baselineReplicaShare()).isZero();
        assertThat(line("eventual").measuredReplicaShare()).isNull();
        assertThat(this.endpoint.report().verdict()).isEqualTo("GO");
    }

    @Test
    void aWriteIsSeenThoughNobodyWaitsAndTheReportKnowsThatNoReplicaHadIt() {
        pauseReplicas();
        for (int i = 0; i < 10; i++) {
            String value = "new " + i;
            Where where = request(() -> {
                this.items.write(1, value);
                return this.items.readYourWrites(1);
            });
            assertOnWriter(where);
            assertThat(where.value()).isEqualTo(value);
            int expected = i + 1;
            await().atMost(DEADLINE)
                    .untilAsserted(
                            () -> assertThat(line("readYourWrites").predicted().writerFallback())
                                    .isEqualTo(expected));
        }
        assertThat(this.endpoint.report().verdict()).isEqualTo("NO-GO");
        assertThat(this.endpoint.report().objections()).anyMatch(line -> line.contains("max-writer-share"));
    }

    /** Nobody waits: the read is over before the replica goes on, and only then is it known that the wait had ended well. */
    @Test
    void theMonitorNotesThatAReplicaWouldHaveComeInTime() {
        pauseReplicas();
        FreshnessContract patient = this.operations
                .contract(FreshnessMode.READ_YOUR_WRITES)
                .withOnUnmet(OnUnmet.REJECT)
                .withWaitBudget(Duration.ofMinutes(5));
        Where where = request(() -> {
            this.items.write(1, "new");
            return this.operations.read(patient, () -> Where.read(this.jdbc, 1));
        });
        assertOnWriter(where);
        assertThat(where.value()).isEqualTo("new");
        resumeReplicas();
        await().atMost(DEADLINE)
                .untilAsserted(
                        () -> assertThat(line(patient.declaredBy()).predicted().replicaAfterWait())
                                .isOne());
        assertThat(line(patient.declaredBy()).predicted().total()).isOne();
    }

    @Test
    void aRefusalIsCountedAndNotRaised() {
        pauseReplicas();
        Where where = request(() -> {
            this.items.write(1, "new");
            return this.items.readYourWritesOrReject(1);
        });
        assertOnWriter(where);
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(
                                line("readYourWritesOrReject").predicted().refused())
                        .isOne());
        assertThat(this.endpoint.report().objections()).anyMatch(line -> line.contains("max-refusals"));
        this.rollout.change(100);
        assertThatThrownBy(() -> request(() -> {
                    this.items.write(1, "newer");
                    return this.items.readYourWritesOrReject(1);
                }))
                .isInstanceOf(StaleReadNotAllowedException.class);
        assertThat(line("readYourWritesOrReject").measured().refused()).isOne();
    }

    @Test
    void readsBeyondTheLimitOfFallbacksAreCountedAsRefused() throws Exception {
        pauseReplicas();
        FreshnessContract impatient =
                this.operations.contract(FreshnessMode.READ_YOUR_WRITES).withWaitBudget(Duration.ZERO);
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch reading = new CountDownLatch(5);
        ExecutorService threads = Executors.newCachedThreadPool();
        TransactionTemplate readOnly = new TransactionTemplate(this.transactions);
        readOnly.setReadOnly(true);
        List<Future<Where>> reads = new ArrayList<>();
        try {
            for (int i = 0; i < 5; i++) {
                int id = 10 + i;
                reads.add(threads.submit(() -> request(() -> {
                    this.items.write(id, "new");
                    return this.operations.read(
                            impatient,
                            () -> readOnly.execute(status -> {
                                Where where = Where.read(this.jdbc, id);
                                reading.countDown();
                                awaitQuietly(done);
                                return where;
                            }));
                })));
            }
            assertThat(reading.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(line(impatient.declaredBy()).predicted().writerFallback())
                    .isEqualTo(3);
            assertThat(line(impatient.declaredBy()).predicted().refused()).isEqualTo(2);
        } finally {
            done.countDown();
            threads.shutdown();
        }
        for (Future<Where> read : reads) {
            assertOnWriter(read.get(60, TimeUnit.SECONDS));
        }
        assertThat(this.database.fallbacks().active()).isZero();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void aWriteUnderAContractSucceedsAndObjects() {
        request(() -> this.operations.read(
                FreshnessMode.EVENTUAL,
                () -> this.jdbc
                        .sql("update item set name = 'written' where id = 1")
                        .update()));
        assertThat(request(() -> this.items.unmarked(1)).value()).isEqualTo("written");
        assertThat(this.endpoint.report().objections()).anyMatch(line -> line.contains("a replica would refuse"));
    }

    @Test
    void aSessionStaysAsItBegan() {
        FreshnessSession session = FreshnessSession.ofNewClient();
        try (ThreadScope scope = ThreadScope.open(session)) {
            assertOnWriter(this.items.eventual(1));
            this.rollout.change(100);
            assertOnWriter(this.items.eventual(1));
        }
        assertOnReplica(request(() -> this.items.eventual(1)));
        this.rollout.change(0);
        assertOnWriter(request(() -> this.items.eventual(1)));
    }

    @Test
    void aPercentageEnforcesForAsManyCohorts() {
        this.rollout.change(30);
        int enforced = 0;
        for (int cohort = 0; cohort < FreshnessSession.COHORTS; cohort++) {
            FreshnessSession session = FreshnessSession.ofNewClient();
            session.carryCohort(cohort);
            try (ThreadScope scope = ThreadScope.open(session)) {
                enforced += this.items.eventual(1).inRecovery() ? 1 : 0;
            }
        }
        assertThat(enforced).isEqualTo(30);
        assertThat(line("eventual").measured().replica()).isEqualTo(30);
        assertThat(line("eventual").predicted().replica()).isEqualTo(70);
        assertThat(line("eventual").baselineReplicaShare()).isEqualTo(0.3);
    }

    /** A quarter of the clients write first, and the replicas are paused. The same workload, observed and then enforced. */
    @Test
    void whatIsPredictedIsWhatIsMeasured() {
        double predicted = shareOfWorkload(0);
        double measured = shareOfWorkload(100);
        assertThat(measured).isBetween(predicted - 0.05, predicted + 0.05);
        assertThat(measured).isGreaterThan(0.5);
    }

    private double shareOfWorkload(int percentage) {
        awaitEligibleReplicas(2);
        pauseReplicas();
        this.rollout.change(percentage);
        this.counts.reset();
        for (int i = 0; i < 100; i++) {
            boolean writes = i % 4 == 0;
            String value = percentage + " " + i;
            request(() -> {
                if (writes) {
                    this.items.write(1, value);
                }
                Where where = this.items.readYourWritesWithoutTransaction(1);
                if (writes) {
                    assertThat(where.value()).isEqualTo(value);
                }
                return where;
            });
        }
        String method = "readYourWritesWithoutTransaction";
        await().atMost(DEADLINE).until(() -> line(method).reads() == 100);
        resumeReplicas();
        this.postgres.awaitCaughtUp();
        Double share = percentage == 0
                ? line(method).predictedReplicaShare()
                : line(method).measuredReplicaShare();
        return share;
    }

    @Test
    void theEndpointChangesThePercentage() {
        assertThat(this.endpoint.rollout(40)).containsEntry("percentage", 40);
        assertThat(this.endpoint.report().percentage()).isEqualTo(40);
        assertThat(this.endpoint.section("nothing")).isNull();
        assertThatThrownBy(() -> this.endpoint.rollout(101)).hasMessageContaining("0 to 100");
        assertThat(this.rollout.percentage()).isEqualTo(40);
    }
}
