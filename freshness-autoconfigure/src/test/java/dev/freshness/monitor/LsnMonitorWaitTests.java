/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.routing.WaitOutcome;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.StandbyObservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Probes between the regular ones, which here come once an hour. */
@ReplicatedPostgresTest
class LsnMonitorWaitTests {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final MonitorSettings SETTINGS =
            new MonitorSettings(Duration.ofHours(1), Duration.ofSeconds(5), Duration.ofHours(4));

    private final AtomicInteger probesOfReplica = new AtomicInteger();

    private final AtomicInteger probesOfWriter = new AtomicInteger();

    private final List<Long> begun = new CopyOnWriteArrayList<>();

    private PostgresNode primary;

    private LsnMonitor monitor;

    @BeforeEach
    void startWatching(ReplicatedPostgres postgres) {
        this.primary = postgres.primary();
        this.monitor = new LsnMonitor(
                "waits",
                node("writer", postgres.primary()),
                List.of(node("replica", postgres.replicas().get(0))),
                SETTINGS,
                (database, node, observation, nanos) -> {
                    if (node.equals("writer")) {
                        this.probesOfWriter.incrementAndGet();
                    } else {
                        this.begun.add(observation.sampledAt());
                        this.probesOfReplica.incrementAndGet();
                    }
                });
        this.monitor.start();
        await().atMost(DEADLINE).until(() -> this.probesOfReplica.get() == 1 && this.probesOfWriter.get() == 1);
    }

    @AfterEach
    void stopWatching() {
        this.monitor.stop();
    }

    private static MonitoredNode node(String name, PostgresNode node) {
        return new MonitoredNode(name, node.jdbcUrl(), node.username(), node.password(), new Properties());
    }

    private static StandbyObservation replica(DatabaseState state) {
        return (StandbyObservation) state.replicas().get(0).observation();
    }

    @Test
    void someoneWhoWaitsGetsNewStatesOfTheReplicas() {
        StandbyObservation before = replica(this.monitor.state());
        this.primary.execute("create table if not exists waits (id int)");
        assertThat(this.monitor.await(
                        state -> replica(state).replay().value()
                                > before.replay().value(),
                        DEADLINE.toNanos()))
                .isEqualTo(WaitOutcome.REACHED);
        assertThat(this.probesOfWriter).hasValue(1);
    }

    @Test
    void allWhoWaitShareOneStreamThatEndsWithThem() throws Exception {
        int waiters = 20;
        ExecutorService executor = Executors.newFixedThreadPool(waiters);
        try {
            long begun = System.nanoTime();
            int before = this.probesOfReplica.get();
            List<CompletableFuture<WaitOutcome>> waits = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                waits.add(CompletableFuture.supplyAsync(
                        () -> this.monitor.await(state -> this.probesOfReplica.get() > before + 50, DEADLINE.toNanos()),
                        executor));
            }
            for (CompletableFuture<WaitOutcome> wait : waits) {
                assertThat(wait.get()).isEqualTo(WaitOutcome.REACHED);
            }
            long millis = (System.nanoTime() - begun) / 1_000_000;
            assertThat(this.probesOfReplica.get() - before).isLessThanOrEqualTo((int) millis + 2);
        } finally {
            executor.shutdownNow();
        }
        // The stream ends: the regular probe is an hour away.
        int[] last = {-1};
        await().atMost(DEADLINE).pollInterval(Duration.ofMillis(100)).until(() -> {
            boolean still = last[0] == this.probesOfReplica.get();
            last[0] = this.probesOfReplica.get();
            return still;
        });
    }

    /** Each newcomer asks for a probe at once; whatever they are many, the node's load is bounded. */
    @Test
    void aCrowdOfNewcomersProbesNoMoreThanAllowed() {
        int before = this.begun.size();
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (this.begun.size() < before + 300 && System.nanoTime() - deadline < 0) {
            this.monitor.await(state -> false, 500_000);
            this.monitor.probeSoon(0);
        }
        assertThat(this.begun).hasSizeGreaterThanOrEqualTo(before + 300);
        List<Long> times = List.copyOf(this.begun);
        assertThat(ProbePacingTests.mostWithin(times, 1_000_000_000)).isLessThanOrEqualTo(ProbePacing.MOST_PER_SECOND);
    }

    @Test
    void aWaitEndsWithTheMonitorAndNoneBeginsAfterIt() throws Exception {
        CompletableFuture<WaitOutcome> wait =
                CompletableFuture.supplyAsync(() -> this.monitor.await(state -> false, DEADLINE.toNanos()));
        int before = this.probesOfReplica.get();
        await().atMost(DEADLINE).until(() -> this.probesOfReplica.get() > before);
        this.monitor.stop();
        assertThat(wait.get()).isEqualTo(WaitOutcome.ENDED);
        assertThat(this.monitor.await(state -> false, DEADLINE.toNanos())).isEqualTo(WaitOutcome.ENDED);
    }

    @Test
    void theMonitorCanStartAgain() {
        this.monitor.stop();
        this.monitor.start();
        int before = this.probesOfReplica.get();
        assertThat(this.monitor.await(state -> this.probesOfReplica.get() > before, DEADLINE.toNanos()))
                .isEqualTo(WaitOutcome.REACHED);
    }
}
