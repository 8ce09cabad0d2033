/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lag and link faults of one standby.
 *
 * <p>A reload is asynchronous: the new value is visible to new sessions before the replay process has taken it. Where that
 * gap could let one more record through, a {@linkplain #passReplayLoop pause and resume} closes it: the replay process
 * confirms a pause only after it has handled the signals it had received before.
 */
final class StandbyControls {

    private static final String PAUSE_STATE = "SELECT pg_get_wal_replay_pause_state()";
    private static final String RECEIVERS = "SELECT count(*) FROM pg_stat_wal_receiver";

    /** The newest, since the one of a broken connection stays for a while. */
    private static final String SENDER =
            "SELECT %s FROM pg_stat_replication WHERE application_name = ? ORDER BY backend_start DESC LIMIT 1";

    private final Server server;
    private @Nullable FrozenSender frozenSender;

    StandbyControls(Server server) {
        this.server = server;
    }

    private record FrozenSender(Server of, long pid) {}

    void pause() throws SQLException {
        try (AdminSession session = server.admin()) {
            session.query("SELECT pg_wal_replay_pause()");
            Duration delay = server.applyDelay();
            if (delay.isZero()) {
                awaitPauseState(session, "paused");
                return;
            }
            // While it sits out a delay the replay process confirms nothing. Once the pause is requested it is safe to
            // end the delay: the record that was held back is then held back by the pause.
            try {
                server.setApplyDelay(Duration.ZERO);
                reloadApplyDelay();
                awaitPauseState(session, "paused");
            } finally {
                server.setApplyDelay(delay);
            }
            reloadApplyDelay();
        }
    }

    void resume() throws SQLException {
        try (AdminSession session = server.admin()) {
            session.query("SELECT pg_wal_replay_resume()");
            awaitPauseState(session, "not paused");
        }
    }

    void applyDelay(Duration delay) throws SQLException {
        Duration before = server.applyDelay();
        server.setApplyDelay(delay);
        if (!server.running()) {
            return;
        }
        reloadApplyDelay();
        if (before.isZero()) {
            passReplayLoop();
        }
    }

    void cutLink() throws SQLException {
        server.setLinkCut(true);
        if (!server.running()) {
            return;
        }
        reload("primary_conninfo", "");
        passReplayLoop();
        try (AdminSession session = server.admin()) {
            // A replay process that is paused or delayed does not end the receiver, but does not start one either.
            String receiver = session.query("SELECT pid FROM pg_stat_wal_receiver");
            if (receiver != null) {
                server.signal("TERM", Long.parseLong(receiver));
            }
            awaitNoReceiver(session);
            // A receiver that was just being started is not in the view yet.
            passReplayLoop();
            awaitNoReceiver(session);
        }
    }

    void restoreLink() throws SQLException {
        server.setLinkCut(false);
        if (!server.running()) {
            return;
        }
        reload("primary_conninfo", server.connectionInfo());
        if (!replayStands()) {
            awaitStreaming();
        }
    }

    void awaitStreaming() throws SQLException {
        Server upstream = requireUpstream();
        try (AdminSession session = server.admin()) {
            Await.until(
                    server.name() + " to stream from " + upstream.name(),
                    Await.DEFAULT_DEADLINE,
                    server::logTail,
                    () -> Await.Look.equal(
                            "streaming " + upstream.port(),
                            session.query("SELECT status || ' ' || sender_port FROM pg_stat_wal_receiver")));
        }
        try (AdminSession session = upstream.admin()) {
            Await.until(
                    upstream.name() + " to report " + server.name() + " as streaming",
                    Await.DEFAULT_DEADLINE,
                    upstream::logTail,
                    () -> Await.Look.equal("streaming", session.query(SENDER.formatted("state"), server.name())));
        }
    }

    /** Undoes what holds this running standby back; does no more than one look if nothing does. */
    void heal(String target) throws SQLException {
        if (!server.applyDelay().isZero()) {
            applyDelay(Duration.ZERO);
        }
        if (!healthyAt(target)) {
            // First, since a paused standby would not connect.
            resume();
            restoreLink();
            awaitReplayed(target, Await.DEFAULT_DEADLINE);
        }
    }

    private boolean healthyAt(String target) throws SQLException {
        try (AdminSession session = server.admin()) {
            String healthy = session.query(
                    "SELECT pg_get_wal_replay_pause_state() = 'not paused'"
                            + " AND pg_last_wal_replay_lsn() >= ?::pg_lsn"
                            + " AND EXISTS (SELECT FROM pg_stat_wal_receiver"
                            + " WHERE status = 'streaming' AND sender_port = ?)",
                    target,
                    requireUpstream().port());
            return "t".equals(healthy);
        }
    }

    void follow(Server upstream) throws SQLException {
        server.follow(upstream);
        if (server.running()) {
            reload("primary_conninfo", server.connectionInfo());
        }
    }

    void freezeSender() throws SQLException {
        Server upstream = requireUpstream();
        long pid = walSender(upstream);
        upstream.freeze(List.of(pid));
        frozenSender = new FrozenSender(upstream, pid);
    }

    void unfreezeSender() {
        if (frozenSender != null) {
            frozenSender.of.unfreeze(List.of(frozenSender.pid));
            frozenSender = null;
        }
    }

    void reclone(Server primary) throws SQLException {
        unfreezeSender();
        server.shutDown("QUIT");
        HotCopy.copy(primary, server);
        server.setApplyDelay(Duration.ZERO);
        server.follow(primary);
        server.start();
        awaitStreaming();
    }

    private Server requireUpstream() {
        Server upstream = server.upstream();
        if (upstream == null) {
            throw new IllegalStateException(server.name() + " has no upstream");
        }
        return upstream;
    }

    /** The process at the upstream that sends to this standby. */
    private long walSender(Server upstream) throws SQLException {
        try (AdminSession session = upstream.admin()) {
            String pid = session.query(SENDER.formatted("pid"), server.name());
            if (pid == null) {
                throw new IllegalStateException(upstream.name() + " does not send to " + server.name());
            }
            return Long.parseLong(pid);
        }
    }

    void promote() throws SQLException {
        try (AdminSession session = server.admin()) {
            session.query("SELECT pg_promote(true, 30)");
            Await.until(
                    server.name() + " to leave recovery",
                    Await.DEFAULT_DEADLINE,
                    server::logTail,
                    () -> Await.Look.equal("f", session.query("SELECT pg_is_in_recovery()")));
        }
        server.follow(null);
    }

    void awaitReplayed(String lsn, Duration deadline) throws SQLException {
        try (AdminSession session = server.admin()) {
            Await.until(server.name() + " to replay " + lsn, deadline, server::logTail, () -> {
                String[] row = session.row(
                        2,
                        "SELECT pg_last_wal_replay_lsn() >= ?::pg_lsn, concat_ws(', ', pg_last_wal_replay_lsn()::text,"
                                + " CASE WHEN pg_is_in_recovery() THEN pg_get_wal_replay_pause_state()"
                                + " ELSE 'not in recovery' END)",
                        lsn);
                return row == null ? new Await.Look(false, "nothing") : new Await.Look("t".equals(row[0]), row[1]);
            });
        }
    }

    private void reloadApplyDelay() throws SQLException {
        reload("recovery_min_apply_delay", Long.toString(server.applyDelay().toMillis()));
    }

    /** Makes the new configuration visible to every session that begins from now on. */
    private void reload(String setting, String expected) throws SQLException {
        try (AdminSession session = server.admin()) {
            session.query("SELECT pg_reload_conf()");
        }
        Await.until(
                server.name() + " to take " + setting + " = '" + expected + "'",
                Await.DEFAULT_DEADLINE,
                server::logTail,
                () -> {
                    try (AdminSession fresh = server.admin()) {
                        return Await.Look.equal(
                                expected, fresh.query("SELECT setting FROM pg_settings WHERE name = ?", setting));
                    }
                });
    }

    /** Returns once the replay process has handled what was signalled to it, or stands still anyway. */
    private void passReplayLoop() throws SQLException {
        if (replayStands()) {
            return;
        }
        try (AdminSession session = server.admin()) {
            session.query("SELECT pg_wal_replay_pause()");
            awaitPauseState(session, "paused");
            session.query("SELECT pg_wal_replay_resume()");
            awaitPauseState(session, "not paused");
        }
    }

    private boolean replayStands() throws SQLException {
        try (AdminSession session = server.admin()) {
            return !server.applyDelay().isZero() || !"not paused".equals(session.query(PAUSE_STATE));
        }
    }

    private void awaitPauseState(AdminSession session, String state) {
        Await.until(
                "the replay of " + server.name() + " to be " + state,
                Await.DEFAULT_DEADLINE,
                server::logTail,
                () -> Await.Look.equal(state, session.query(PAUSE_STATE)));
    }

    private void awaitNoReceiver(AdminSession session) {
        Await.until(
                "the WAL receiver of " + server.name() + " to end",
                Await.DEFAULT_DEADLINE,
                server::logTail,
                () -> Await.Look.equal("0", session.query(RECEIVERS)));
    }
}
