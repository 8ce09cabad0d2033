/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.FreshnessOperations;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.wal.Lsn;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** A write, then a read of the same client while both replicas stand still. */
abstract class OwnWritesAreSeen extends ReplicationBed {

    @Autowired
    FreshnessOperations operations;

    @Test
    void withinOneRequestAReadSeesTheWriteOnTheWriterAndLaterOnAReplica() {
        pauseReplicas();
        FreshnessSession session = FreshnessSession.ofNewClient();
        try (ThreadScope request = ThreadScope.open(session)) {
            this.items.write(1, "new");
            assertReceivedButNotReplayed(floor(session));

            Where read = this.items.readYourWrites(1);
            assertOnWriter(read);
            assertThat(read.value()).isEqualTo("new");

            Where control = this.items.eventual(1);
            assertOnReplica(control);
            assertThat(control.value()).isEqualTo("old");

            resumeReplicas();
            this.postgres.awaitCaughtUp();
            awaitEligibleReplicas(2);

            Where later = this.items.readYourWrites(1);
            assertOnReplica(later);
            assertThat(later.value()).isEqualTo("new");
        }
    }

    @Test
    void anAutoCommitWriteIsSeenToo() {
        pauseReplicas();
        request(() -> {
            this.items.writeWithoutTransaction(1, "new");
            Where read = this.items.readYourWritesWithoutTransaction(1);
            assertOnWriter(read);
            assertThat(read.value()).isEqualTo("new");
            assertThat(this.items.eventualWithoutTransaction(1).value()).isEqualTo("old");
            return read;
        });
    }

    @Test
    void aRequestThatWroteNothingReadsFromReplicas() {
        request(() -> {
            this.items.unmarkedInTransaction(1);
            Where read = this.items.readYourWrites(1);
            assertOnReplica(read);
            return read;
        });
    }

    @Test
    void onABareThreadNothingIsKnownAndTheWriterAnswers() {
        assertOnWriter(this.items.readYourWrites(1));
        assertOnWriter(this.items.readYourWritesWithoutTransaction(1));
    }

    @Test
    void onABareThreadACommitInTheSameScopeGivesAFloor() {
        Where read = this.operations.read(this.operations.contract(dev.freshness.FreshnessMode.EVENTUAL), () -> {
            this.items.write(1, "new");
            this.postgres.awaitCaughtUp();
            awaitEligibleReplicas(2);
            return this.items.readYourWrites(1);
        });
        assertOnReplica(read);
        assertThat(read.value()).isEqualTo("new");
    }

    @Test
    void aNewSessionVouchesForAnEmptyHistory() {
        assertOnReplica(this.operations.newSession(() -> this.items.readYourWrites(1)));
    }

    /** The example of the guide for testing contracts, with nothing but the public API. */
    @Test
    void theExampleOfTheTestingGuideHolds() {
        pauseReplicas();
        this.operations.newSession(() -> {
            assertOnReplica(this.items.readYourWrites(1));
            this.items.write(1, "new");
            Where own = this.items.readYourWrites(1);
            assertOnWriter(own);
            assertThat(own.value()).isEqualTo("new");
            Where control = this.items.eventual(1);
            assertOnReplica(control);
            assertThat(control.value()).isEqualTo("old");
            return null;
        });
    }

    @Test
    void rejectRefusesAtOnceWhatNoReplicaCanAnswer() {
        pauseReplicas();
        request(() -> {
            this.items.write(1, "new");
            assertThatThrownBy(() -> this.items.readYourWritesOrReject(1))
                    .isInstanceOf(StaleReadNotAllowedException.class)
                    .hasMessageContaining("Items.readYourWritesOrReject")
                    .hasMessageContaining("behind-floor");
            return null;
        });
    }

    private void assertReceivedButNotReplayed(Lsn floor) {
        for (PostgresNode replica : this.postgres.replicas()) {
            org.awaitility.Awaitility.await()
                    .atMost(DEADLINE)
                    .until(() -> Lsn.parse(replica.receiveLsn()).isAtOrPast(floor));
            assertThat(Lsn.parse(replica.replayLsn()).isAtOrPast(floor)).isFalse();
        }
    }

    private static Lsn floor(FreshnessSession session) {
        return ((Floor.At) session.floor("default")).position().lsn();
    }
}
