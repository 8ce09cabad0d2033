/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.wal.Lsn;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * H06: the captured position lies before the commit. Each transaction notes the insert position as its last statement;
 * the floor it leaves must lie strictly above. Too high is merely slower, too low is wrong.
 */
abstract class FieldCaseH06 extends ReplicationBed {

    @Autowired
    JdbcClient jdbc;

    @Autowired
    TransactionTemplate transactions;

    private final String synchronousCommit;

    FieldCaseH06(String synchronousCommit) {
        this.synchronousCommit = synchronousCommit;
    }

    @Test
    void theFloorLiesAboveTheInsertPositionNotedAsTheLastStatement() {
        assertThat(this.jdbc.sql("show synchronous_commit").query(String.class).single())
                .isEqualTo(this.synchronousCommit);
        for (int i = 0; i < 200; i++) {
            int id = 1000 + i;
            FreshnessSession session = FreshnessSession.ofNewClient();
            try (ThreadScope request = ThreadScope.open(session)) {
                String noted = this.transactions.execute(status -> {
                    this.items.write(id, "x".repeat(id % 97));
                    return this.jdbc
                            .sql("select pg_current_wal_insert_lsn()::text")
                            .query(String.class)
                            .single();
                });
                assertThat(floor(session)).isGreaterThan(Lsn.parse(noted));
            }
        }
    }

    @Test
    void aSynchronousCommitIsFlushedAndCanBeReachedByStandbys() {
        FreshnessSession session = FreshnessSession.ofNewClient();
        try (ThreadScope request = ThreadScope.open(session)) {
            this.items.write(1, "new");
        }
        Lsn floor = floor(session);
        this.postgres.replicas().forEach(replica -> replica.awaitReplayed(floor.toString()));
    }

    @Test
    void whatOnlyReadOrWasRolledBackLeavesNoFloor() {
        FreshnessSession session = FreshnessSession.ofNewClient();
        try (ThreadScope request = ThreadScope.open(session)) {
            this.items.eventual(1);
            this.items.unmarkedInTransaction(1);
            this.items.unmarked(1);
            assertThatThrownBy(() -> this.transactions.executeWithoutResult(status -> {
                        this.items.write(1, "gone");
                        throw new IllegalStateException("thrown by the work");
                    }))
                    .hasMessage("thrown by the work");
        }
        assertThat(session.floor("default")).isSameAs(Floor.none());
    }

    @Test
    void aFailedTransactionThatIsCommittedAllTheSameLeavesNoFloor() {
        FreshnessSession session = FreshnessSession.ofNewClient();
        try (ThreadScope request = ThreadScope.open(session)) {
            this.transactions.executeWithoutResult(status -> {
                this.items.write(1, "gone");
                assertThatThrownBy(() -> this.jdbc.sql("select 1 / 0").query().singleValue())
                        .hasMessageContaining("division by zero");
            });
        }
        assertThat(session.floor("default")).isSameAs(Floor.none());
        assertThat(this.items.unmarked(1).value()).isEqualTo("old");
    }

    private static Lsn floor(FreshnessSession session) {
        return ((Floor.At) session.floor("default")).position().lsn();
    }
}
