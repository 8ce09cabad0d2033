/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.ContractConflictException;
import org.junit.jupiter.api.Test;

/** Contracts inside contracts, before and after a transaction's first statement. */
abstract class NestedContracts extends ReplicationBed {

    @Test
    void authoritativeIsOnTheWriterAlways() {
        assertOnWriter(this.items.authoritative(1));
        assertOnWriter(this.items.authoritativeWithoutTransaction(1));
        assertOnWriter(request(() -> this.items.authoritative(1)));
    }

    @Test
    void authoritativeInsideAnEventualMethodIsOnTheWriter() {
        assertOnWriter(this.calls.eventual(() -> this.items.authoritative(1)));
        assertOnWriter(this.calls.eventual(() -> this.items.authoritativeWithoutTransaction(1)));
        assertOnWriter(this.calls.eventualTransaction(() -> this.items.authoritative(1)));
    }

    @Test
    void eventualInsideAnAuthoritativeMethodIsOnTheWriter() {
        assertOnWriter(this.calls.authoritative(() -> this.items.eventual(1)));
        assertOnWriter(this.calls.authoritativeTransaction(() -> this.items.eventual(1)));
    }

    @Test
    void anEventualScopeGoesBackToReplicasAfterAStricterCall() {
        this.calls.eventual(() -> {
            assertOnReplica(this.items.eventual(1));
            assertOnWriter(this.items.authoritative(1));
            assertOnReplica(this.items.eventual(1));
            return null;
        });
    }

    @Test
    void oneScopeWithoutATransactionStaysOnOneReplica() {
        this.calls.eventual(() -> {
            int port = this.items.eventualWithoutTransaction(1).port();
            for (int i = 0; i < 20; i++) {
                assertThat(this.items.eventualWithoutTransaction(1).port()).isEqualTo(port);
            }
            return null;
        });
    }

    @Test
    void authoritativeJoinedToATransactionThatHasReadOnAReplicaConflicts() {
        assertThatThrownBy(() -> this.calls.eventualTransaction(() -> {
                    assertOnReplica(this.items.eventual(1));
                    return this.items.authoritative(1);
                }))
                .isInstanceOf(ContractConflictException.class)
                .hasMessageContaining("Items.authoritative")
                .hasMessageContaining("Calls.eventualTransaction");
    }

    @Test
    void authoritativeJoinedToATransactionOnTheWriterIsMet() {
        this.calls.unmarkedTransaction(() -> {
            assertOnWriter(this.items.unmarkedInTransaction(1));
            assertOnWriter(this.items.authoritative(1));
            return null;
        });
    }

    @Test
    void authoritativeJoinedToASnapshotOnTheWriterConflicts() {
        assertThatThrownBy(() -> this.calls.unmarkedSnapshot(() -> {
                    this.items.unmarkedReadOnly(1);
                    return this.items.authoritative(1);
                }))
                .isInstanceOf(ContractConflictException.class)
                .hasMessageContaining("without a contract");
    }

    @Test
    void authoritativeThatRunsTheFirstStatementOfASnapshotOnTheWriterIsMet() {
        assertOnWriter(this.calls.unmarkedSnapshot(() -> this.items.authoritative(1)));
    }

    @Test
    void anEventualTransactionDoesNotMindWhatItsClientWrites() {
        pauseReplicas();
        request(() -> this.calls.eventualTransaction(() -> {
            assertOnReplica(this.items.eventual(1));
            this.items.writeInNewTransaction(1, "new");
            assertThat(this.items.eventual(1).value()).isEqualTo("old");
            return null;
        }));
    }

    @Test
    void readYourWritesConflictsOnceItsOwnTransactionOnAReplicaIsBehindTheFloor() {
        pauseReplicas();
        assertThatThrownBy(() -> request(() -> this.calls.readYourWritesTransaction(() -> {
                    assertOnReplica(this.items.readYourWrites(1));
                    this.items.writeInNewTransaction(1, "new");
                    return this.items.readYourWrites(1);
                })))
                .isInstanceOf(ContractConflictException.class)
                .hasMessageContaining("behind-floor");
    }

    @Test
    void readCommittedOnAReplicaGoesOnOnceTheReplicaHasTheWrite() {
        request(() -> this.calls.readYourWritesTransaction(() -> {
            assertOnReplica(this.items.readYourWrites(1));
            this.items.writeInNewTransaction(1, "new");
            this.postgres.awaitCaughtUp();
            awaitEligibleReplicas(2);
            Where read = this.items.readYourWrites(1);
            assertOnReplica(read);
            assertThat(read.value()).isEqualTo("new");
            return null;
        }));
    }

    @Test
    void aSnapshotOnAReplicaConflictsAlthoughTheReplicaHasTheWrite() {
        assertThatThrownBy(() -> request(() -> this.calls.readYourWritesSnapshot(() -> {
                    assertOnReplica(this.items.readYourWrites(1));
                    this.items.writeInNewTransaction(1, "new");
                    this.postgres.awaitCaughtUp();
                    awaitEligibleReplicas(2);
                    return this.items.readYourWrites(1);
                })))
                .isInstanceOf(ContractConflictException.class)
                .hasMessageContaining("behind-floor");
    }

    @Test
    void aSnapshotOnTheWriterConflictsOnceItsClientHasWritten() {
        assertThatThrownBy(() -> request(() -> this.calls.unmarkedSnapshot(() -> {
                    assertOnWriter(this.items.readYourWrites(2));
                    this.items.writeInNewTransaction(2, "new");
                    return this.items.readYourWrites(2);
                })))
                .isInstanceOf(ContractConflictException.class)
                .hasMessageContaining("Items.readYourWrites")
                .hasMessageContaining("behind-floor");
        assertThat(this.primary.query("select name from item where id = 2")).isEqualTo("new");
    }
}
