/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;

@ReplicatedPostgresTest(
        names = {"left", "right"},
        serverSettings = {"work_mem = 7MB", "log_line_prefix=%p="},
        shared = false)
@TestMethodOrder(OrderAnnotation.class)
class ReplicatedPostgresExtensionTest {

    private static final List<ReplicatedPostgres> SEEN = new ArrayList<>();

    private final ReplicatedPostgres postgres;

    ReplicatedPostgresExtensionTest(ReplicatedPostgres postgres) {
        this.postgres = postgres;
        SEEN.add(postgres);
    }

    @BeforeAll
    static void firstUse(ReplicatedPostgres postgres) {
        SEEN.add(postgres);
    }

    @AfterEach
    void sameCluster(ReplicatedPostgres injected) {
        assertThat(injected).isSameAs(postgres);
    }

    @AfterAll
    static void oneClusterUntilItWasSpoilt() {
        assertThat(SEEN.get(0)).isSameAs(SEEN.get(1)).isSameAs(SEEN.get(2));
        assertThat(SEEN.get(3)).isNotSameAs(SEEN.get(2));
        assertThat(SEEN.get(2).primary().isRunning()).isFalse();
    }

    @Test
    @Order(1)
    void injectsNodes(PostgresNode primary, @Node("right") PostgresNode right, @Node("primary") PostgresNode again) {
        assertThat(primary).isSameAs(postgres.primary()).isSameAs(again);
        assertThat(right).isSameAs(postgres.replica("right"));
        assertThat(right.query("SHOW work_mem")).isEqualTo("7MB");
        assertThat(right.query("SHOW log_line_prefix")).isEqualTo("%p=");
        primary.execute("CREATE TABLE kept (id int)");
        right.pauseReplay();
        right.applyDelay(Duration.ofHours(1));
        postgres.replica("left").kill();
    }

    @Test
    @Order(2)
    void resetsBeforeTheNextMethodAndKeepsData(@Node("left") PostgresNode left, @Node("right") PostgresNode right) {
        assertThat(left.query("SELECT count(*) FROM kept")).isEqualTo("0");
        assertThat(right.query("SELECT pg_get_wal_replay_pause_state()")).isEqualTo("not paused");
        assertThat(right.query("SHOW recovery_min_apply_delay")).isEqualTo("0");
        right.promote();
    }

    @Test
    @Order(3)
    void replacesWhatCannotBeReset(PostgresNode primary, @Node("right") PostgresNode right) {
        assertThat(right.inRecovery()).isTrue();
        assertThat(primary.query("SELECT to_regclass('kept')")).isNull();
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class Inner {

        @Test
        void belongsToTheClusterAroundIt(@Node("left") PostgresNode left) {
            assertThat(left).isSameAs(postgres.replica("left"));
            isReset(left);
        }

        @Test
        void isResetThoughItsInstanceStays(@Node("left") PostgresNode left) {
            isReset(left);
        }

        /** Whichever method comes second finds what the first has left. */
        private void isReset(PostgresNode left) {
            assertThat(left.query("SELECT pg_get_wal_replay_pause_state()")).isEqualTo("not paused");
            left.pauseReplay();
        }
    }

    @Test
    void equalAnnotationsShareACluster() {
        TestClusters.Key shared = TestClusters.find(PostgresNodeTest.class).orElseThrow();
        assertThat(TestClusters.find(ReplicatedPostgresSpringTest.class)).contains(shared);
        assertThat(TestClusters.find(Inner.class)).isEqualTo(TestClusters.find(ReplicatedPostgresExtensionTest.class));
        assertThat(TestClusters.find(FailoverTest.class)).isNotEmpty().isNotEqualTo(Optional.of(shared));
        assertThat(TestClusters.find(String.class)).isEmpty();
    }
}
