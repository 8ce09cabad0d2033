/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.PostgresNode;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * H01: read-only transactions all land on the primary, and nothing looks wrong. Data is right, so only the place where a
 * read ran and what it borrowed can tell.
 */
abstract class FieldCaseH01 extends ReplicationBed {

    @Test
    void eventualReadsRunOnReplicasAndBorrowNothingFromTheWriter() {
        Map<Integer, Integer> served = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            Where where = this.items.eventual(1);
            assertOnReplica(where);
            assertThat(where.value()).isEqualTo("old");
            served.merge(where.port(), 1, Integer::sum);
        }
        assertThat(this.borrows.of("writer")).isZero();
        for (PostgresNode replica : this.postgres.replicas()) {
            assertThat(served.getOrDefault(replica.port(), 0)).isGreaterThanOrEqualTo(30);
            assertThat(this.borrows.of(replica.name())).isGreaterThanOrEqualTo(30);
        }
    }

    @Test
    void plainTransactionsRunOnTheWriterAndBorrowNothingFromReplicas() {
        for (int i = 0; i < 100; i++) {
            assertOnWriter(this.items.unmarkedInTransaction(1));
        }
        assertThat(this.borrows.of("writer")).isEqualTo(100);
        assertNothingBorrowedFromReplicas();
    }

    @Test
    void eventualReadsWithoutATransactionRunOnReplicas() {
        for (int i = 0; i < 20; i++) {
            assertOnReplica(this.items.eventualWithoutTransaction(1));
        }
        assertThat(this.borrows.of("writer")).isZero();
    }

    @Test
    void unmarkedWorkRunsOnTheWriter() {
        assertOnWriter(this.items.unmarked(1));
        assertOnWriter(this.items.unmarkedReadOnly(1));
        assertNothingBorrowedFromReplicas();
    }

    @Test
    void aReadWriteTransactionRunsOnTheWriterWhateverItsContract() {
        assertOnWriter(this.items.eventualInReadWriteTransaction(1));
        assertNothingBorrowedFromReplicas();
    }

    @Test
    void anUnmarkedOuterTransactionStaysOnTheWriterThoughAMarkedMethodRunsItsFirstStatement() {
        assertOnWriter(this.calls.unmarkedTransaction(() -> this.items.eventual(1)));
        assertOnWriter(this.calls.unmarkedReadOnlyTransaction(() -> this.items.eventual(1)));
        assertNothingBorrowedFromReplicas();
    }

    private void assertNothingBorrowedFromReplicas() {
        for (PostgresNode replica : this.postgres.replicas()) {
            assertThat(this.borrows.of(replica.name())).isZero();
        }
    }
}
