/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The first run of a method that opens a read-only transaction of its own. If a replica cancels or loses that transaction,
 * and the run has left nothing behind, the method may be run again from its start.
 *
 * <p>A run leaves something behind where it uses the writer or another database, where something is committed, marked as
 * written or written by whomever in the same session, and where a cursor or the driver's own connection is handed out.
 * What a run inside of this one leaves behind, this one does.
 *
 * <p>What it does when it cannot know: only the first transaction that begins in the run is taken for the method's own; a
 * failure of any other leads to nothing.
 *
 * <p>Confined to the thread of its scope.
 */
public final class ReadAttempt {

    private final @Nullable ReadAttempt around;

    private @Nullable FreshnessSession session;

    private int writes;

    private @Nullable Object own;

    private @Nullable String database;

    private boolean spoiled;

    private @Nullable Failure failure;

    /** Begins a run within the one that goes on in the scope in force, if any does. */
    public ReadAttempt() {
        ThreadScope scope = ThreadScope.current();
        this.around = scope == null ? null : scope.attempt();
    }

    void opened(FreshnessSession inSession) {
        this.session = inSession;
        this.writes = inSession.writes();
    }

    /**
     * A transaction begins. The first is the method's own.
     *
     * @param inDatabase its database
     * @param transaction what tells it from others
     */
    public void transactionBegins(String inDatabase, Object transaction) {
        if (this.own == null) {
            this.own = transaction;
            this.database = inDatabase;
        }
    }

    /**
     * Whether a transaction is the method's own.
     *
     * @param transaction what tells it from others
     * @return false for transactions that began inside of it
     */
    public boolean isOwn(Object transaction) {
        return this.own == transaction;
    }

    /**
     * A transaction or a statement of its own was routed.
     *
     * @param inDatabase its database
     * @param onWriter whether to the writer
     */
    public void routed(String inDatabase, boolean onWriter) {
        if (onWriter || this.database != null && !this.database.equals(inDatabase)) {
            this.spoiled = true;
        }
        if (this.around != null) {
            this.around.routed(inDatabase, onWriter);
        }
    }

    /** The run has left something behind: it must not be repeated. */
    public void spoil() {
        this.spoiled = true;
        if (this.around != null) {
            this.around.spoil();
        }
    }

    /**
     * A replica cancelled or lost the method's own transaction.
     *
     * @param what the failure; only the first counts
     */
    public void failed(Failure what) {
        if (this.failure == null) {
            this.failure = what;
        }
    }

    /**
     * What failed the run, if it may be repeated.
     *
     * @return the failure, null if there was none or if the run has left something behind
     */
    public @Nullable Failure failure() {
        boolean wrote = this.session != null && this.session.writes() != this.writes;
        return this.spoiled || wrote ? null : this.failure;
    }

    /** Why a run failed. */
    public enum Cause {

        /** The replica cancelled the transaction to go on with replay. */
        RECOVERY_CONFLICT,

        /** The replica's connection was lost. */
        CONNECTION_LOST
    }

    /**
     * What failed a run.
     *
     * @param database the database
     * @param cause why
     * @param rerun told how the second run ended: true for well
     */
    public record Failure(String database, Cause cause, Consumer<Boolean> rerun) {}
}
