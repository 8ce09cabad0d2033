/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each control does what it says, next to something it must leave alone: mostly the other replica. */
@ReplicatedPostgresTest(replicas = 2)
class PostgresNodeTest {

    private static final Duration FOREVER = Duration.ofHours(1);

    private final ReplicatedPostgres postgres;
    private final PostgresNode primary;
    private final PostgresNode replica;
    private final PostgresNode other;

    PostgresNodeTest(
            ReplicatedPostgres postgres,
            PostgresNode primary,
            @Node("replica-1") PostgresNode replica,
            @Node("replica-2") PostgresNode other) {
        this.postgres = postgres;
        this.primary = primary;
        this.replica = replica;
        this.other = other;
    }

    @BeforeEach
    void emptyTable() {
        primary.execute("DROP TABLE IF EXISTS note; CREATE TABLE note (id int)");
        postgres.awaitCaughtUp();
    }

    @Test
    void saysWhoItIs() throws SQLException {
        assertThat(primary.inRecovery()).isFalse();
        assertThat(replica.inRecovery()).isTrue();
        assertThat(primary.jdbcUrl()).isEqualTo("jdbc:postgresql://127.0.0.1:" + primary.port() + "/postgres");
        assertThat(primary.query("SELECT pg_backend_pid() > 0")).isEqualTo("t");
        assertThat(primary.query(
                        "SELECT string_agg(application_name, ' ' ORDER BY application_name) FROM pg_stat_replication"))
                .isEqualTo("replica-1 replica-2");
        assertThat(ProcessHandle.of(replica.pid())).isPresent();
        assertThat(replica).hasToString("replica-1 at " + replica.jdbcUrl());
        try (Connection connection = replica.connect()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }

    @Test
    void positionsComeFromTheSideThatHasThem() {
        primary.execute("INSERT INTO note VALUES (1)");
        String flushed = primary.flushLsn();
        replica.awaitReplayed(flushed);
        assertThat(reached(primary.insertLsn(), flushed)).isTrue();
        assertThat(reached(replica.receiveLsn(), flushed)).isTrue();
        assertThat(reached(replica.replayLsn(), flushed)).isTrue();
        assertThat(primary.receiveLsn()).isNull();
        assertThat(primary.replayLsn()).isNull();
        assertThatThrownBy(replica::insertLsn)
                .isInstanceOf(ReplicatedPostgresException.class)
                .hasMessageContaining("recovery is in progress");
    }

    @Test
    void pauseHoldsReplayButNotReceipt() {
        replica.pauseReplay();
        replica.pauseReplay();
        String before = replica.replayLsn();
        String written = insert(1);
        awaitReceived(written);
        other.awaitReplayed(written);
        assertThat(replica.replayLsn()).isEqualTo(before);
        assertThat(rows(replica)).isZero();
        assertThat(rows(other)).isEqualTo(1);

        replica.resumeReplay();
        replica.resumeReplay();
        replica.awaitReplayed(written);
        assertThat(rows(replica)).isEqualTo(1);
    }

    @Test
    void applyDelayHoldsCommitsFromTheMomentItIsSet() {
        for (int round = 1; round <= 10; round++) {
            replica.applyDelay(FOREVER);
            String written = insert(round);
            awaitReceived(written);
            other.awaitReplayed(written);
            assertThat(rows(replica)).isEqualTo(round - 1);

            replica.applyDelay(Duration.ZERO);
            replica.awaitReplayed(written);
            assertThat(rows(replica)).isEqualTo(round);
        }
    }

    @Test
    void applyDelayLastsAsLongAsItSays() {
        Duration delay = Duration.ofMillis(300);
        replica.applyDelay(delay);
        long before = System.nanoTime();
        String written = insert(1);
        replica.awaitReplayed(written);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(delay);
        assertThat(rows(replica)).isEqualTo(1);
    }

    @Test
    void pauseTakesOverFromADelayWithoutLettingAnythingThrough() {
        replica.applyDelay(FOREVER);
        String written = insert(1);
        awaitReceived(written);
        replica.pauseReplay();
        assertThat(rows(replica)).isZero();
        replica.applyDelay(Duration.ZERO);
        assertThat(rows(replica)).isZero();
        replica.resumeReplay();
        replica.awaitReplayed(written);
        assertThat(rows(replica)).isEqualTo(1);
    }

    @Test
    void cutStandbyLooksCaughtUpAndIsNot() {
        replica.cutWalLink();
        replica.cutWalLink();
        String written = insert(1);
        other.awaitReplayed(written);
        assertThat(replica.query("SELECT count(*) FROM pg_stat_wal_receiver")).isEqualTo("0");
        assertThat(replica.receiveLsn()).isEqualTo(replica.replayLsn());
        assertThat(reached(replica.receiveLsn(), written)).isFalse();
        assertThat(rows(replica)).isZero();

        replica.restoreWalLink();
        replica.restoreWalLink();
        assertThat(replica.query("SELECT count(*) FROM pg_stat_wal_receiver")).isEqualTo("1");
        replica.awaitReplayed(written);
        assertThat(rows(replica)).isEqualTo(1);
    }

    @Test
    void pausedStandbyIsCutAtOnceToo() {
        replica.pauseReplay();
        replica.cutWalLink();
        String written = insert(1);
        other.awaitReplayed(written);
        assertThat(reached(replica.receiveLsn(), written)).isFalse();
        replica.resumeReplay();
        assertThat(replica.query("SELECT count(*) FROM pg_stat_wal_receiver")).isEqualTo("0");

        replica.pauseReplay();
        replica.restoreWalLink();
        replica.resumeReplay();
        replica.awaitReplayed(written);
    }

    @Test
    void cutLinkOutlivesARestart() {
        replica.stop();
        replica.cutWalLink();
        replica.start();
        String written = insert(1);
        other.awaitReplayed(written);
        assertThat(reached(replica.replayLsn(), written)).isFalse();
        assertThat(replica.receiveLsn()).isNull();
        replica.restoreWalLink();
        replica.awaitReplayed(written);
    }

    @Test
    void frozenServerDoesNotAnswerUntilUnfrozen() throws SQLException {
        try (Connection open = replica.connect()) {
            assertThat(open.isValid(1)).isTrue();
            replica.freeze();
            replica.freeze();
            assertThat(open.isValid(1)).isFalse();
        }
        assertThatThrownBy(replica::pauseReplay)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("replica-1 is frozen, so it cannot pause the replay");
        assertThat(replica.isRunning()).isTrue();
        assertThatThrownBy(() -> shortConnect(replica)).isInstanceOf(SQLException.class);
        assertThatCode(() -> shortConnect(other)).doesNotThrowAnyException();
        String written = insert(1);
        other.awaitReplayed(written);

        replica.unfreeze();
        replica.unfreeze();
        replica.awaitReplayed(written);
        assertThatCode(() -> shortConnect(replica)).doesNotThrowAnyException();
    }

    @Test
    void frozenServerCanBeStoppedAndKilled() {
        replica.freeze();
        replica.stop();
        assertThat(replica.isRunning()).isFalse();
        replica.start();
        replica.freeze();
        replica.kill();
        assertThat(replica.isRunning()).isFalse();
        replica.start();
        assertThat(replica.inRecovery()).isTrue();
    }

    @Test
    void frozenSenderLeavesAHealthyLookingLinkOnWhichNothingArrives() {
        replica.freezeWalSender();
        replica.freezeWalSender();
        String written = insert(1);
        other.awaitReplayed(written);
        assertThat(replica.query("SELECT status FROM pg_stat_wal_receiver")).isEqualTo("streaming");
        assertThat(reached(replica.receiveLsn(), written)).isFalse();

        replica.unfreezeWalSender();
        replica.unfreezeWalSender();
        replica.awaitReplayed(written);
        assertThat(rows(replica)).isEqualTo(1);
    }

    @Test
    void stoppedStandbyCatchesUpAfterItsStart() {
        int port = replica.port();
        replica.stop();
        replica.stop();
        assertThat(replica.pid()).isZero();
        assertThatThrownBy(() -> shortConnect(replica)).isInstanceOf(SQLException.class);
        String written = insert(1);

        replica.start();
        replica.start();
        assertThat(replica.port()).isEqualTo(port);
        replica.awaitReplayed(written);
        assertThat(rows(replica)).isEqualTo(1);
    }

    @Test
    void killedPrimaryRecoversWhatItAcknowledged() throws SQLException {
        insert(1);
        String startedBefore = primary.query("SELECT pg_postmaster_start_time()");
        try (Connection open = primary.connect()) {
            primary.kill();
            primary.kill();
            assertThat(open.isValid(1)).isFalse();
        }
        assertThatThrownBy(() -> shortConnect(primary)).isInstanceOf(SQLException.class);
        assertThat(rows(replica)).isEqualTo(1);

        primary.start();
        assertThat(primary.query("SELECT pg_postmaster_start_time()")).isNotEqualTo(startedBefore);
        assertThat(rows(primary)).isEqualTo(1);
        assertThat(primary.server().files().logSince(0)).contains("not properly shut down");
        replica.awaitReplayed(insert(2));
        assertThat(rows(replica)).isEqualTo(2);
    }

    @Test
    void resetUndoesEverythingAtOnce() {
        replica.pauseReplay();
        replica.cutWalLink();
        other.applyDelay(FOREVER);
        other.freezeWalSender();
        insert(1);
        replica.freeze();
        other.kill();
        primary.freeze();

        postgres.reset();

        assertThat(rows(primary)).isEqualTo(1);
        assertThat(rows(replica)).isEqualTo(1);
        assertThat(rows(other)).isEqualTo(1);
        String written = insert(2);
        replica.awaitReplayed(written);
        other.awaitReplayed(written);
    }

    @Test
    void expiredWaitSaysWhatItWaitedForAndWhatItSaw() {
        replica.pauseReplay();
        assertThatThrownBy(() -> replica.awaitReplayed("FFFFFFFF/0", Duration.ofMillis(50)))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("Waited 50 ms for replica-1 to replay FFFFFFFF/0; last seen: "
                        + replica.replayLsn() + ", paused")
                .hasMessageContaining("The log of replica-1 ends:")
                .hasMessageContaining("database system is ready to accept read-only connections");
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> replica.follow(replica)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> replica.recloneFrom(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("replica-2 is a standby");
        assertThatThrownBy(() -> replica.applyDelay(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(primary::pauseReplay)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("primary is not a standby, so it cannot pause the replay");
        assertThatThrownBy(() -> primary.follow(replica)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(primary::cutWalLink).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> postgres.replica("replica-9")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> primary.execute("SELEC"))
                .isInstanceOf(ReplicatedPostgresException.class)
                .hasMessageContaining("syntax error");
    }

    private String insert(int id) {
        primary.execute("INSERT INTO note VALUES (" + id + ")");
        return primary.flushLsn();
    }

    private static int rows(PostgresNode node) {
        return Integer.parseInt(node.query("SELECT count(*) FROM note"));
    }

    private void awaitReceived(String lsn) {
        Awaitility.await().until(() -> reached(replica.receiveLsn(), lsn));
    }

    private boolean reached(String position, String target) {
        return "t".equals(primary.query("SELECT '" + position + "'::pg_lsn >= '" + target + "'::pg_lsn"));
    }

    private static void shortConnect(PostgresNode node) throws SQLException {
        String url = node.jdbcUrl() + "?connectTimeout=1&socketTimeout=1";
        try (Connection connection = DriverManager.getConnection(url, node.username(), node.password())) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }
}
