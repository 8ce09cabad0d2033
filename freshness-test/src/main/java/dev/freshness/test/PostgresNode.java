/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One server of a {@link ReplicatedPostgres}: its address, its state, and controls for lag and faults.
 *
 * <p>A control returns when what it promises can be observed, and throws {@link WaitTimeoutException} if that takes longer
 * than 30 seconds. Controls may be repeated: to pause a paused node, or to stop a stopped one, does nothing. They may be
 * called from several threads; two controls of one node then follow each other. Those that only a standby can have throw
 * {@link IllegalStateException} at a primary, and while the node is frozen.
 *
 * <p>A node keeps its name, port and data from {@link #stop()} or {@link #kill()} to {@link #start()}. Its apply delay and
 * a cut link outlive that too; a pause and a freeze do not.
 *
 * <p>The node opens a connection for each call and closes it before it returns. {@link #execute}, {@link #query} and
 * {@link #connect()} have no time limit; connections of the latter belong to the caller.
 */
public final class PostgresNode {

    private final Server server;
    private final StandbyControls controls;

    PostgresNode(Server server) {
        this.server = server;
        this.controls = new StandbyControls(server);
    }

    Server server() {
        return server;
    }

    /**
     * The name: {@code primary}, or that of the replica, which is also its {@code application_name} at its upstream.
     *
     * @return the name, which never changes, not even by a promotion
     */
    public String name() {
        return server.name();
    }

    /**
     * The port at 127.0.0.1.
     *
     * @return the port, which stays the same while the cluster lives
     */
    public int port() {
        return server.port();
    }

    /**
     * The JDBC URL of the database, without user and password.
     *
     * @return the URL
     */
    public String jdbcUrl() {
        return AdminSession.url(server.port(), server.settings().database());
    }

    /**
     * The superuser.
     *
     * @return the user name
     */
    public String username() {
        return server.settings().username();
    }

    /**
     * The superuser's password.
     *
     * @return the password; the servers only ask for it if {@link ReplicatedPostgres.Builder#password} was called
     */
    public String password() {
        return server.settings().password();
    }

    /**
     * Opens a connection as the superuser, without time limits and not from a pool.
     *
     * @return a connection, which the caller closes
     * @throws SQLException as the driver throws it
     */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), username(), password());
    }

    /**
     * Runs statements in a connection of their own, with auto-commit.
     *
     * @param sql one or more statements
     */
    public void execute(String sql) {
        run("execute " + sql, () -> {
            try (Connection connection = connect();
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        });
    }

    /**
     * Runs a query in a connection of its own.
     *
     * @param sql the query
     * @return the first column of the first row as text, or null if that is null or there is no row
     */
    public @Nullable String query(String sql) {
        return get("query " + sql, () -> {
            try (Connection connection = connect();
                    var statement = connection.createStatement();
                    var result = statement.executeQuery(sql)) {
                return result.next() ? result.getString(1) : null;
            }
        });
    }

    /**
     * Whether this node is a standby now, by its own word.
     *
     * @return false if it accepts writes
     */
    public boolean inRecovery() {
        return "t".equals(ask("SELECT pg_is_in_recovery()"));
    }

    /**
     * Where the next WAL record will begin. Only a primary can tell.
     *
     * @return the LSN as PostgreSQL prints it
     */
    public String insertLsn() {
        return position("SELECT pg_current_wal_insert_lsn()");
    }

    /**
     * Up to where the WAL is flushed, which includes every acknowledged commit except those with
     * {@code synchronous_commit=off}. Only a primary can tell.
     *
     * @return the LSN as PostgreSQL prints it
     */
    public String flushLsn() {
        return position("SELECT pg_current_wal_flush_lsn()");
    }

    /**
     * Up to where this standby has received WAL by streaming.
     *
     * @return the LSN as PostgreSQL prints it, or null if it has received none since it started
     */
    public @Nullable String receiveLsn() {
        return ask("SELECT pg_last_wal_receive_lsn()");
    }

    /**
     * Up to where this standby has replayed WAL. After a promotion this is where its timeline began.
     *
     * @return the LSN as PostgreSQL prints it, or null at a node that was not in recovery since it started
     */
    public @Nullable String replayLsn() {
        return ask("SELECT pg_last_wal_replay_lsn()");
    }

    /**
     * The process id of the postmaster.
     *
     * @return the process id, or 0 while the server does not run
     */
    public long pid() {
        return server.pid();
    }

    /**
     * Whether the server's process is there. A frozen server runs.
     *
     * @return false after {@link #stop()} and {@link #kill()}
     */
    public boolean isRunning() {
        return server.running();
    }

    /**
     * Holds the replay: the standby goes on to receive WAL, but shows nothing new. Returns when PostgreSQL reports
     * {@code paused}: nothing is replayed after that, whether or not an {@linkplain #applyDelay apply delay} is set.
     */
    public void pauseReplay() {
        asStandby("pause the replay", controls::pause);
    }

    /** Lets a paused replay go on. Returns when it does, not when it has caught up. */
    public void resumeReplay() {
        asStandby("resume the replay", controls::resume);
    }

    /**
     * Keeps the standby behind by a time: it replays each commit that long after the primary's clock said it was made.
     * Commits that are already held back by an earlier delay are held by the new one.
     *
     * @param delay the delay in whole milliseconds; zero for none
     */
    public void applyDelay(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("Not a delay: " + delay);
        }
        asStandby("set the apply delay", () -> controls.applyDelay(delay));
    }

    /**
     * Cuts this standby off from its upstream. Returns when there is no WAL receiver any more; what was received before
     * is still replayed. To anybody who only looks at this standby it then seems caught up.
     */
    public void cutWalLink() {
        asStandby("cut the WAL link", controls::cutLink);
    }

    /**
     * Restores a cut link. Returns when the standby streams again, except while its replay is paused or delayed: then
     * PostgreSQL itself does not connect before it needs more WAL.
     */
    public void restoreWalLink() {
        asStandby("restore the WAL link", controls::restoreLink);
    }

    /**
     * Points this standby to another server, as after a failover, without a new copy of the data. Does not wait: whether
     * it can follow depends on what it has replayed.
     *
     * @param upstream the server to stream from
     */
    public void follow(PostgresNode upstream) {
        requireOther(upstream);
        asStandby("follow " + upstream.name(), () -> controls.follow(upstream.server));
    }

    /** Freezes the one process that sends WAL to this standby: the link then looks healthy, but nothing arrives. */
    public void freezeWalSender() {
        locked("freeze the WAL sender", controls::freezeSender);
    }

    /** Wakes the process that {@link #freezeWalSender()} froze. */
    public void unfreezeWalSender() {
        locked("unfreeze the WAL sender", controls::unfreezeSender);
    }

    /** Stops the server in PostgreSQL's "fast" mode: sessions are ended, and a primary sends its last WAL first. */
    public void stop() {
        locked("stop", () -> server.shutDown("INT"));
    }

    /**
     * Ends the server in PostgreSQL's "immediate" mode, which is a crash to the data: what was not flushed is lost, and
     * the next start recovers. Clients lose their connections, with or without a message.
     */
    public void kill() {
        locked("kill", () -> server.shutDown("QUIT"));
    }

    /** Starts a stopped or killed server, at its old port. Returns when it accepts connections. */
    public void start() {
        locked("start", server::start);
    }

    /**
     * Makes this standby a primary, on a timeline of its own. The old primary is not told, and goes on if it runs. Does
     * nothing if this node is a primary already.
     */
    public void promote() {
        locked("promote", () -> {
            if (inRecovery()) {
                controls.promote();
            }
        });
    }

    /**
     * Stops the processes of the server where they are: connections stay open and new ones are accepted by the operating
     * system, but nothing answers.
     *
     * @throws UnsupportedOperationException on Windows
     */
    public void freeze() {
        locked("freeze", server::freeze);
    }

    /** Lets a frozen server go on. */
    public void unfreeze() {
        locked("unfreeze", server::unfreeze);
    }

    /**
     * Throws this node's data away and makes it a standby of {@code primary} by a copy of the data of that, which goes on
     * running. Returns when it streams. The node keeps its name and port; pauses, delays and cut links end.
     *
     * @param primary a running node that is not in recovery
     */
    public void recloneFrom(PostgresNode primary) {
        requireOther(primary);
        if (primary.inRecovery()) {
            throw new IllegalArgumentException(primary.name() + " is a standby; a clone needs a primary");
        }
        locked("clone " + primary.name(), () -> controls.reclone(primary.server));
    }

    /**
     * Waits up to 30 seconds until this standby has replayed the given position.
     *
     * @param lsn an LSN as PostgreSQL prints it; {@link #flushLsn()} of the primary is a good one
     */
    public void awaitReplayed(String lsn) {
        awaitReplayed(lsn, Await.DEFAULT_DEADLINE);
    }

    /**
     * Waits until this standby has replayed the given position.
     *
     * @param lsn an LSN as PostgreSQL prints it; {@link #flushLsn()} of the primary is a good one
     * @param deadline how long to wait
     */
    public void awaitReplayed(String lsn, Duration deadline) {
        run("await " + lsn, () -> controls.awaitReplayed(lsn, deadline));
    }

    /** Undoes what the controls have done to this running standby, and waits until it has replayed the target. */
    void heal(String target) {
        locked("become healthy again", () -> controls.heal(target));
    }

    private void requireOther(PostgresNode node) {
        if (node.server == server) {
            throw new IllegalArgumentException(name() + " cannot follow itself");
        }
    }

    private String position(String sql) {
        String lsn = ask(sql);
        if (lsn == null) {
            throw new ReplicatedPostgresException(name() + " answered nothing to " + sql);
        }
        return lsn;
    }

    private @Nullable String ask(String sql) {
        return get("answer " + sql, () -> {
            try (AdminSession session = server.admin()) {
                return session.query(sql);
            }
        });
    }

    private void locked(String what, Action action) {
        synchronized (server) {
            run(what, action);
        }
    }

    private void asStandby(String what, Action action) {
        locked(what, () -> {
            if (server.upstream() == null) {
                throw new IllegalStateException(name() + " is not a standby, so it cannot " + what);
            }
            if (server.isFrozen()) {
                throw new IllegalStateException(name() + " is frozen, so it cannot " + what);
            }
            action.run();
        });
    }

    private void run(String what, Action action) {
        get(what, () -> {
            action.run();
            return null;
        });
    }

    private @Nullable String get(String what, Call call) {
        try {
            return call.get();
        } catch (SQLException e) {
            throw new ReplicatedPostgresException(
                    name() + " could not " + what + ": " + e.getMessage() + server.logTail(), e);
        }
    }

    @FunctionalInterface
    private interface Action {
        void run() throws SQLException;
    }

    @FunctionalInterface
    private interface Call {
        @Nullable
        String get() throws SQLException;
    }

    /** The name and address. */
    @Override
    public String toString() {
        return name() + " at " + jdbcUrl();
    }
}
