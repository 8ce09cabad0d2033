/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.DatabaseState;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A replica that falls silent under load, with its connections open: one whose packets are dropped, and one whose
 * processes stand still.
 */
@ReplicatedPostgresTest
class SilentReplicaTests {

    private static final String SILENT = "replica-1";

    private static final String OTHER = "replica-2";

    private static final int READERS = 16;

    private static final int READS = 50;

    /** No read takes so long, on the busiest of machines, unless it waits for a timeout. */
    private static final Duration SLOW = Duration.ofMillis(900);

    /** Far above the two seconds after which a replica that does not answer is given up. */
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(8);

    @Test
    void droppedPacketsCostEachReaderAtMostOneTimeout(ReplicatedPostgres postgres) throws IOException {
        try (TcpSwitch address = new TcpSwitch(postgres.replica(SILENT)::port);
                StartedApplication application = StartedApplication.on(
                        postgres,
                        "freshness.replicas." + SILENT + ".url="
                                + address.through(postgres.replica(SILENT).jdbcUrl()))) {
            fallsSilentAndComesBack(postgres, application, address::fallSilent, address::speak);
        }
    }

    @Test
    void aStandbyThatStandsStillCostsEachReaderAtMostOneTimeout(ReplicatedPostgres postgres) throws IOException {
        PostgresNode silent = postgres.replica(SILENT);
        try (StartedApplication application = StartedApplication.on(postgres)) {
            fallsSilentAndComesBack(postgres, application, silent::freeze, silent::unfreeze);
        }
    }

    private static void fallsSilentAndComesBack(
            ReplicatedPostgres postgres, StartedApplication application, Fault silence, Fault speech)
            throws IOException {
        int silent = postgres.replica(SILENT).port();
        int other = postgres.replica(OTHER).port();
        ReplicationBed.awaitEligibleReplicas(application.database(), 2);
        Items items = application.items();
        try (Readers readers = new Readers(READERS, () -> items.eventual(1))) {
            // Until every reader may have a connection of the replica in its hands when that falls silent.
            awaitEachOn(readers, silent);
            silence.set();
            // Whoever waits for the replica does so only until it is given up: all of them read on.
            readers.awaitReads(READS, System.nanoTime());
            await().atMost(ReplicationBed.DEADLINE).until(() -> !isObserved(application));
            long noticed = System.nanoTime();
            readers.awaitReads(READS, noticed);
            long spoke = System.nanoTime();
            assertThat(readers.between(noticed, spoke))
                    .allSatisfy(read -> assertThat(read.where().port()).isEqualTo(other));
            speech.set();
            awaitEachOn(readers, silent, spoke);

            // The statements under way when it fell silent are all that may fail, and one timeout is all it costs.
            assertThat(readers.failed())
                    .allSatisfy(read ->
                            assertThat(read.begun()).as("in flight: %s", read).isLessThan(noticed));
            assertThat(perReader(readers.failed()))
                    .allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(1));
            List<Readers.Read> slow = readers.slow(SLOW, spoke);
            assertThat(slow).isNotEmpty().allSatisfy(read -> {
                assertThat(read.took()).isLessThan(SHORT_TIMEOUT);
                assertThat(read.begun()).as("%s", read).isLessThan(noticed);
            });
            assertThat(perReader(slow))
                    .as("slow reads of one reader: %s", slow)
                    .allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(1));
        }
    }

    private static void awaitEachOn(Readers readers, int port) {
        awaitEachOn(readers, port, readers.begun());
    }

    private static void awaitEachOn(Readers readers, int port, long since) {
        await().atMost(ReplicationBed.DEADLINE).untilAsserted(() -> {
            Set<Integer> seen = new HashSet<>();
            readers.between(since, Long.MAX_VALUE).stream()
                    .filter(read -> read.where().port() == port)
                    .forEach(read -> seen.add(read.reader()));
            assertThat(seen).as("readers on the server at %d", port).hasSize(READERS);
        });
    }

    private static List<Integer> perReader(List<Readers.Read> reads) {
        int[] counts = new int[READERS];
        reads.forEach(read -> counts[read.reader()]++);
        return Arrays.stream(counts).boxed().sorted(Comparator.reverseOrder()).toList();
    }

    private static boolean isObserved(StartedApplication application) {
        DatabaseState state = application.database().state();
        return state.replicas().stream()
                .filter(replica -> replica.name().equals(SILENT))
                .anyMatch(replica -> state.liveStandby(replica, System.nanoTime()) != null);
    }

    /** What is done to the replica. */
    private interface Fault {

        void set() throws IOException;
    }
}
