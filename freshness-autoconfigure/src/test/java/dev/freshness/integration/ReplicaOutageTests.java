/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.FailedObservation;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;

/** Replicas that stop and come back, under reads that may be answered by anybody. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class ReplicaOutageTests extends ReplicationBed {

    private static final int READERS = 4;

    private final Queue<Read> reads = new ConcurrentLinkedQueue<>();

    @Test
    void noReadFailsButThoseInFlightAndReplicasComeBackAfterAFreshObservation() throws InterruptedException {
        AtomicBoolean goOn = new AtomicBoolean(true);
        ExecutorService readers = Executors.newFixedThreadPool(READERS);
        for (int i = 0; i < READERS; i++) {
            readers.execute(() -> {
                while (goOn.get()) {
                    this.reads.add(read());
                }
            });
        }
        try {
            PostgresNode first = this.postgres.replica("replica-1");
            PostgresNode second = this.postgres.replica("replica-2");
            await().atMost(DEADLINE).until(() -> portsSince(0).containsAll(List.of(first.port(), second.port())));

            Outage firstStop = stop(first);
            awaitReads(100, firstStop.noticed());
            Outage secondStop = stop(second);
            awaitReads(100, secondStop.noticed());
            long startedAt = System.nanoTime();
            assertThat(readsBetween(secondStop.noticed(), startedAt)).allSatisfy(read -> assertOnWriter(read.where()));

            first.start();
            second.start();
            await().atMost(DEADLINE)
                    .until(() -> portsSince(startedAt).containsAll(List.of(first.port(), second.port())));

            List<Read> failed =
                    this.reads.stream().filter(read -> read.failure() != null).toList();
            // At most one for each reader and outage: who failed once is not sent there again.
            assertThat(failed)
                    .hasSizeLessThanOrEqualTo(2 * READERS)
                    .allSatisfy(read -> assertThat(List.of(firstStop, secondStop))
                            .as("in flight: %s", read)
                            .anyMatch(outage -> outage.mayHaveHit(read)));
        } finally {
            goOn.set(false);
            readers.shutdown();
            assertThat(readers.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Read read() {
        long begun = System.nanoTime();
        try {
            return new Read(begun, this.items.eventual(1), null);
        } catch (RuntimeException ex) {
            return new Read(begun, null, ex);
        }
    }

    private Outage stop(PostgresNode node) {
        node.stop();
        await().atMost(DEADLINE)
                .until(() -> this.database.state().replicas().stream()
                        .filter(replica -> replica.name().equals(node.name()))
                        .allMatch(replica -> replica.observation() instanceof FailedObservation));
        return new Outage(System.nanoTime());
    }

    private void awaitReads(int count, long since) {
        await().atMost(DEADLINE).until(() -> readsBetween(since, Long.MAX_VALUE).size() >= count);
    }

    private List<Read> readsBetween(long from, long to) {
        return this.reads.stream()
                .filter(read -> read.begun() > from && read.begun() < to && read.where() != null)
                .toList();
    }

    private Set<Integer> portsSince(long since) {
        return readsBetween(since, Long.MAX_VALUE).stream()
                .map(read -> read.where().port())
                .collect(Collectors.toSet());
    }

    private record Read(
            long begun, @Nullable Where where, @Nullable RuntimeException failure) {}

    /**
     * A server that stopped, up to the moment when a probe noticed, at most one monitor interval later. A read that began
     * before may have been on a connection that was ended under it.
     */
    private record Outage(long noticed) {

        boolean mayHaveHit(Read read) {
            return read.begun() <= this.noticed;
        }
    }
}
