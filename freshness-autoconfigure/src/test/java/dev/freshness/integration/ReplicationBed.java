/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;

/** A primary, two standbys that have caught up and are known to have, and a table with one item. */
abstract class ReplicationBed {

    static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final FreshnessContract BED = new FreshnessContract(
            FreshnessMode.EVENTUAL, Duration.ofMinutes(1), Duration.ZERO, OnUnmet.WRITER, "the bed");

    @Autowired
    Items items;

    @Autowired
    Calls calls;

    @Autowired
    Borrows borrows;

    @Autowired
    FreshnessDatabase database;

    ReplicatedPostgres postgres;

    PostgresNode primary;

    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        this.postgres = postgres;
        this.primary = postgres.primary();
        this.primary.execute("create table if not exists item (id int primary key, name text)");
        this.primary.execute("insert into item values (1, 'old') on conflict (id) do update set name = 'old'");
        postgres.awaitCaughtUp();
        awaitEligibleReplicas(postgres.replicas().size());
        this.borrows.reset();
    }

    /** Waits until so many replicas were observed to have replayed everything that the writer has flushed by now. */
    void awaitEligibleReplicas(int count) {
        awaitEligibleReplicas(this.database, count);
    }

    static void awaitEligibleReplicas(FreshnessDatabase database, int count) {
        long since = System.nanoTime();
        await().atMost(DEADLINE).until(() -> caughtUpReplicas(database, since) >= count);
    }

    private static long caughtUpReplicas(FreshnessDatabase database, long since) {
        DatabaseState state = database.state();
        if (!(state.writer() instanceof PrimaryObservation writer) || writer.sampledAt() < since) {
            return 0;
        }
        return IntStream.range(0, state.replicas().size())
                .filter(i -> isCaughtUp(state.replicas().get(i), writer, since))
                .filter(i -> database.unmet(i, BED) == null)
                .count();
    }

    private static boolean isCaughtUp(ReplicaState replica, PrimaryObservation writer, long since) {
        return replica.observation() instanceof StandbyObservation standby
                && standby.sampledAt() >= since
                && replica.freshnessKnown()
                && standby.replay().isAtOrPast(writer.flush());
    }

    void pauseReplicas() {
        this.postgres.replicas().forEach(PostgresNode::pauseReplay);
    }

    void resumeReplicas() {
        this.postgres.replicas().forEach(PostgresNode::resumeReplay);
    }

    /** What the web filter does for a request. */
    static <T> T request(Supplier<T> work) {
        try (ThreadScope scope = ThreadScope.open(FreshnessSession.ofNewClient())) {
            return work.get();
        }
    }

    void assertOnWriter(Where where) {
        assertThat(where.inRecovery()).as("ran on a standby").isFalse();
        assertThat(where.port()).isEqualTo(this.primary.port());
    }

    void assertOnReplica(Where where) {
        assertThat(where.inRecovery()).as("ran on a standby").isTrue();
    }
}
