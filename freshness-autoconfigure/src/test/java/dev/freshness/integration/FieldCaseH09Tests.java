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
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.StandbyObservation;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/**
 * H09: a dead replica keeps getting traffic. Replicas stop and come back, under reads that may be answered by anybody:
 * these must not be worse off than without replicas.
 */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class FieldCaseH09Tests extends ReplicationBed {

    private static final int READERS = 32;

    private static final int READS = 20;

    /** As long as a connect may take: {@code freshness.replicas.<name>.hikari.connection-timeout}. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    /** Far above a connect timeout, on any machine. */
    private static final Duration NEVER = Duration.ofSeconds(8);

    @Autowired
    MeterRegistry meters;

    @Test
    void noReadFailsButThoseInFlightAndReplicasComeBackAfterAFreshObservation() {
        PostgresNode first = this.postgres.replica("replica-1");
        PostgresNode second = this.postgres.replica("replica-2");
        try (Readers readers = new Readers(READERS, () -> this.items.eventual(1))) {
            await().atMost(DEADLINE)
                    .until(() -> readers.portsSince(readers.begun()).containsAll(List.of(first.port(), second.port())));

            Outage firstStop = stop(first);
            readers.awaitReads(READS, firstStop.noticed());
            assertThat(readers.portsSince(firstStop.noticed()))
                    .contains(second.port())
                    .doesNotContain(first.port());

            Outage secondStop = stop(second);
            double fallbacksBefore = fallbacks();
            readers.awaitReads(READS, secondStop.noticed());
            assertThat(fallbacks() - fallbacksBefore).isGreaterThanOrEqualTo(READERS * READS);
            long startedAt = System.nanoTime();
            assertThat(readers.between(secondStop.noticed(), startedAt))
                    .allSatisfy(read -> assertOnWriter(read.where()));

            // A standby that has not said where it is serves nobody, though it accepts connections.
            this.database.stop();
            first.start();
            second.start();
            long accepting = System.nanoTime();
            readers.awaitReads(READS, accepting);
            assertThat(readers.portsSince(startedAt)).containsExactly(this.primary.port());
            long observedFrom = System.nanoTime();
            this.database.start();
            await().atMost(DEADLINE)
                    .until(() -> readers.portsSince(observedFrom).containsAll(List.of(first.port(), second.port())));
            assertThat(List.of(first, second))
                    .allSatisfy(node -> assertThat(observation(node))
                            .isInstanceOfSatisfying(
                                    StandbyObservation.class,
                                    standby -> assertThat(standby.sampledAt()).isGreaterThan(observedFrom)));

            assertThat(readers.failed())
                    .allSatisfy(read -> assertThat(List.of(firstStop, secondStop))
                            .as("in flight: %s", read)
                            .anyMatch(outage -> outage.mayHaveHit(read)));
            for (Outage outage : List.of(firstStop, secondStop)) {
                // Who failed once is not sent there again.
                assertThat(readers.failed().stream().filter(outage::mayHaveHit).map(Readers.Read::reader))
                        .doesNotHaveDuplicates();
            }
            List<Readers.Read> slow = readers.slow(CONNECT_TIMEOUT, startedAt);
            assertThat(slow).allSatisfy(read -> assertThat(read.took()).isLessThan(NEVER));
            assertThat(slow).as("one for each reader and stop").hasSizeLessThanOrEqualTo(2 * READERS);
            assertThat(readers.slow(CONNECT_TIMEOUT, System.nanoTime()))
                    .filteredOn(read -> read.begun() > observedFrom)
                    .as("one tries a replica that comes back")
                    .hasSizeLessThan(READERS / 2);
        }
    }

    private Outage stop(PostgresNode node) {
        long begun = System.nanoTime();
        node.stop();
        await().atMost(DEADLINE).until(() -> observation(node) instanceof FailedObservation);
        return new Outage(begun, System.nanoTime());
    }

    private NodeObservation observation(PostgresNode node) {
        return this.database.state().replicas().stream()
                .filter(replica -> replica.name().equals(node.name()))
                .map(replica -> Objects.requireNonNull(replica.observation()))
                .findFirst()
                .orElseThrow();
    }

    private double fallbacks() {
        return this.meters.find("freshness.decisions").tag("outcome", "writer_fallback").functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    /**
     * A server that stopped, up to the moment when a probe noticed, at most one monitor interval later. A read that began
     * before may have been on a connection that was ended under it.
     */
    private record Outage(long begun, long noticed) {

        boolean mayHaveHit(Readers.Read read) {
            return read.begun() <= this.noticed && read.ended() >= this.begun;
        }
    }
}
