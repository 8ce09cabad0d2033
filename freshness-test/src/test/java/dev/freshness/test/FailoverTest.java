/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of roles. Each method gets a new cluster, since the one before cannot be reset. */
@ReplicatedPostgresTest(replicas = 2, shared = false)
class FailoverTest {

    private static final String TIMELINE = "SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)";

    private final ReplicatedPostgres postgres;
    private final PostgresNode old;
    private final PostgresNode promoted;
    private final PostgresNode other;

    FailoverTest(
            ReplicatedPostgres postgres,
            PostgresNode old,
            @Node("replica-1") PostgresNode promoted,
            @Node("replica-2") PostgresNode other) {
        this.postgres = postgres;
        this.old = old;
        this.promoted = promoted;
        this.other = other;
    }

    @BeforeEach
    void emptyTable() {
        old.execute("CREATE TABLE note (id int)");
        postgres.awaitCaughtUp();
    }

    @Test
    void nodesFollowOrAreClonedAfterAPromotion() {
        promoted.pauseReplay();
        promoted.promote();
        promoted.promote();
        assertThat(promoted.inRecovery()).isFalse();
        assertThat(promoted.query(TIMELINE)).isEqualTo("00000002");
        assertThat(old.query(TIMELINE)).isEqualTo("00000001");
        assertThatThrownBy(postgres::reset).isInstanceOf(IllegalStateException.class);

        other.follow(promoted);
        promoted.execute("INSERT INTO note VALUES (1)");
        other.awaitReplayed(promoted.flushLsn());
        assertThat(rows(other)).isEqualTo("1");
        assertThat(rows(old)).isEqualTo("0");

        old.execute("INSERT INTO note VALUES (98), (99)");
        old.recloneFrom(promoted);
        assertThat(old.inRecovery()).isTrue();
        assertThat(rows(old)).isEqualTo("1");
        promoted.execute("INSERT INTO note VALUES (2)");
        postgres.awaitCaughtUp();
        old.awaitReplayed(promoted.flushLsn());
        assertThat(rows(old)).isEqualTo("2");
    }

    @Test
    void standbysAreClonedAndAddedWhileThePrimaryWrites() {
        other.applyDelay(Duration.ofHours(1));
        other.cutWalLink();
        old.execute("INSERT INTO note SELECT generate_series(1, 10000)");
        other.recloneFrom(old);
        assertThat(other.inRecovery()).isTrue();
        PostgresNode added = postgres.addReplica("late", old);
        old.execute("INSERT INTO note VALUES (10001)");
        postgres.awaitCaughtUp();
        assertThat(rows(other)).isEqualTo("10001");
        assertThat(rows(added)).isEqualTo("10001");
        assertThat(postgres.replicas())
                .extracting(PostgresNode::name)
                .containsExactly("replica-1", "replica-2", "late");
        assertThat(postgres.replica("late")).isSameAs(added);
        assertThat(postgres.properties()).containsEntry("freshness.replicas.late.url", added.jdbcUrl());
        assertThatThrownBy(() -> postgres.addReplica("late", old)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String rows(PostgresNode node) {
        return node.query("SELECT count(*) FROM note");
    }
}
