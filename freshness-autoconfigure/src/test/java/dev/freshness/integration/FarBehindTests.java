/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Replicas that are further behind than the application remembers, and further than what it has promised to clients. */
@ReplicatedPostgresTest
class FarBehindTests {

    private static final int READS = 10;

    private static final Duration TEN_DAYS = Duration.ofDays(10);

    private static Where read(StartedApplication application, FreshnessMode mode) {
        FreshnessContract contract = application
                .operations()
                .contract(mode)
                .withMaxStaleness(TEN_DAYS)
                .withWaitBudget(Duration.ZERO);
        return application.operations().read(contract, () -> Where.read(application.jdbc(), 1));
    }

    /** It knows no sample of the writer that these replicas have reached, so they may be behind by any time. */
    @Test
    void afterAStartNobodyKnowsHowStaleReplicasAreThatWereBehindBefore(ReplicatedPostgres postgres) {
        PostgresNode primary = postgres.primary();
        try (StartedApplication before = StartedApplication.on(postgres)) {
            ReplicationBed.awaitEligibleReplicas(before.database(), 2);
            postgres.replicas().forEach(PostgresNode::pauseReplay);
            primary.execute("update item set name = 'new' where id = 1");
            // The control: who has seen the writer all along knows how stale they are.
            Where where = read(before, FreshnessMode.EVENTUAL);
            assertThat(where.inRecovery()).isTrue();
            assertThat(where.value()).isEqualTo("old");
        }
        try (StartedApplication after = StartedApplication.onAsItIs(postgres)) {
            await().atMost(ReplicationBed.DEADLINE)
                    .until(() -> after.database().state().replicas().stream()
                            .allMatch(replica -> replica.observation() instanceof StandbyObservation));
            for (int i = 0; i < READS; i++) {
                assertThat(after.database().state().replicas()).noneMatch(ReplicaState::freshnessKnown);
                Where where = read(after, FreshnessMode.EVENTUAL);
                assertThat(where.inRecovery()).isFalse();
                assertThat(where.value()).isEqualTo("new");
            }
            postgres.replicas().forEach(PostgresNode::resumeReplay);
            ReplicationBed.awaitEligibleReplicas(after.database(), 2);
            assertThat(read(after, FreshnessMode.EVENTUAL).inRecovery()).isTrue();
        }
    }

    /** A floor ends with its token; nothing that was promised may be missing from a replica by then. */
    @Test
    void aReplicaThatIsBehindByTheLifeOfATokenServesNoReadOfAClientsOwnWrites(ReplicatedPostgres postgres) {
        Duration bound = Duration.ofSeconds(2);
        try (StartedApplication application =
                StartedApplication.on(postgres, "freshness.token.ttl=5s", "freshness.token.clock-allowance=3s")) {
            ReplicationBed.awaitEligibleReplicas(application.database(), 2);
            FreshnessSession client = FreshnessSession.ofNewClient();
            try (ThreadScope request = ThreadScope.open(client)) {
                application.items().write(1, "promised");
            }
            postgres.awaitCaughtUp();
            ReplicationBed.awaitEligibleReplicas(application.database(), 2);
            assertThat(readOf(client, application).inRecovery()).isTrue();
            assertThat(readOf(FreshnessSession.ofNewClient(), application).inRecovery())
                    .isTrue();

            postgres.replicas().forEach(PostgresNode::pauseReplay);
            postgres.primary().execute("update item set name = 'new' where id = 1");
            await().atMost(ReplicationBed.DEADLINE)
                    .until(() -> application.database().state().replicas().stream()
                            .allMatch(replica -> replica.stalenessBound(System.nanoTime()) > bound.toNanos()));
            for (int i = 0; i < READS; i++) {
                assertThat(readOf(FreshnessSession.ofNewClient(), application).inRecovery())
                        .as("a client without a floor on a standby")
                        .isFalse();
                assertThat(readOf(client, application).inRecovery())
                        .as("a client whose floor was reached on a standby")
                        .isFalse();
            }
            // The control: who promised nothing may be served by them.
            assertThat(read(application, FreshnessMode.EVENTUAL).inRecovery()).isTrue();
        }
    }

    private static Where readOf(FreshnessSession client, StartedApplication application) {
        try (ThreadScope request = ThreadScope.open(client)) {
            return read(application, FreshnessMode.READ_YOUR_WRITES);
        }
    }
}
