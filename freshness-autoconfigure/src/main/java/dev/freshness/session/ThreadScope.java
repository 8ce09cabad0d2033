/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessVerdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is in force on a thread: a session, and under a contract that contract joined with all those around it.
 *
 * <p>Scopes nest, and each ends with {@link #close()}, whatever the exit; the last one leaves nothing behind on the
 * thread. A contract outside of any session gets one of unknown history that ends with it.
 *
 * <p>What it does when it cannot know: no scope means no contract, which means the writer; no session means unknown
 * floors.
 *
 * <p>Confined to the thread that opened it. Owns no threads and no connections, but tells those who registered with
 * {@link #onClose} when it ends.
 */
public final class ThreadScope implements AutoCloseable {

    /** No replica has served this scope yet. */
    public static final int NO_REPLICA = -1;

    private static final ThreadLocal<@Nullable ThreadScope> CURRENT = new ThreadLocal<>();

    /** Stands for none at all. */
    private static final FreshnessSession NO_SESSION = FreshnessSession.ofNewClient();

    private final @Nullable ThreadScope outer;

    private final FreshnessSession session;

    private final @Nullable FreshnessContract contract;

    /** The business objects that what is written in here is of; empty for anything. */
    private final Set<String> writes;

    /** The same together with what scopes inside of this one have named; empty for anything. */
    private Set<String> writesSoFar;

    /** Whether this is work of its own, to which what is around it on the thread means nothing. */
    private final boolean separate;

    private boolean open = true;

    private @Nullable List<Runnable> onClose;

    private @Nullable String stickyDatabase;

    private int stickyReplica = NO_REPLICA;

    private @Nullable ReadAttempt attempt;

    private ReadAttempt.@Nullable Failure rerun;

    private @Nullable Supplier<FreshnessVerdict> verdict;

    private ThreadScope(
            @Nullable ThreadScope outer,
            FreshnessSession session,
            @Nullable FreshnessContract contract,
            Set<String> writes) {
        this.outer = outer;
        this.session = session;
        this.contract = contract;
        this.writes = writes;
        this.separate = false;
        this.writesSoFar = writes;
        if (outer != null) {
            this.attempt = outer.attempt;
            this.rerun = outer.rerun;
        }
    }

    /** Work of its own. */
    private ThreadScope(@Nullable ThreadScope outer, @Nullable FreshnessSession session) {
        this.outer = outer;
        this.session = session == null ? NO_SESSION : session;
        this.contract = null;
        this.writes = Set.of();
        this.writesSoFar = Set.of();
        this.separate = true;
    }

    /**
     * The innermost scope of the calling thread.
     *
     * @return the scope, or null outside of any
     */
    public static @Nullable ThreadScope current() {
        ThreadScope innermost = CURRENT.get();
        return innermost == null || innermost.session == NO_SESSION ? null : innermost;
    }

    /**
     * Opens a scope for work that was handed to this thread. Nothing that is in force on the thread is in force in it but the
     * session.
     *
     * @param session the session that the work belongs to, null for none
     * @return the scope to close
     */
    public static ThreadScope openForTask(@Nullable FreshnessSession session) {
        return entered(new ThreadScope(CURRENT.get(), session));
    }

    /** Closes the innermost scope that {@link #openForTask} opened on this thread, and every scope left open in it. */
    public static void closeTask() {
        for (ThreadScope scope = CURRENT.get(); scope != null; scope = scope.outer) {
            if (scope.separate) {
                scope.close();
                return;
            }
        }
    }

    /**
     * Opens a session. A contract already in force stays in force.
     *
     * @param session the session
     * @return the scope to close
     */
    public static ThreadScope open(FreshnessSession session) {
        ThreadScope outer = current();
        return entered(new ThreadScope(CURRENT.get(), session, outer == null ? null : outer.contract, writes(outer)));
    }

    /**
     * Opens a contract in the session in force, or in one of unknown history if there is none.
     *
     * @param contract the contract, joined to the one in force
     * @return the scope to close
     */
    public static ThreadScope open(FreshnessContract contract) {
        ThreadScope outer = current();
        if (outer == null) {
            return entered(new ThreadScope(CURRENT.get(), unknownClient(), contract, Set.of()));
        }
        FreshnessContract joined = outer.contract == null ? contract : contract.joinedTo(outer.contract);
        ThreadScope scope = new ThreadScope(outer, outer.session, joined, outer.writes);
        scope.stickyDatabase = outer.stickyDatabase;
        scope.stickyReplica = outer.stickyReplica;
        return entered(scope);
    }

    /**
     * Opens a contract for the first run of a method.
     *
     * @param contract the contract, joined to the one in force
     * @param attempt the run, told of what happens in this scope and inside of it
     * @return the scope to close
     */
    public static ThreadScope open(FreshnessContract contract, ReadAttempt attempt) {
        ThreadScope scope = open(contract);
        scope.attempt = attempt;
        attempt.opened(scope.session);
        return scope;
    }

    /**
     * Opens a contract for the second run of a method, whose reads are on the writer.
     *
     * @param contract the contract, joined to the one in force
     * @param failure what failed the first run
     * @return the scope to close
     */
    public static ThreadScope openAgain(FreshnessContract contract, ReadAttempt.Failure failure) {
        ThreadScope scope = open(contract);
        scope.rerun = failure;
        return scope;
    }

    /**
     * Says what is written in here, in the session and under the contract in force.
     *
     * @param written the business object that writes are of, such as {@code profile:7}
     * @return the scope to close
     */
    public static ThreadScope openForWritesOf(String written) {
        return openForWrites(Set.of(written));
    }

    /**
     * Says that what is written in here may be of anything, whatever the scopes around say.
     *
     * @return the scope to close
     */
    public static ThreadScope openForWritesOfAnything() {
        return openForWrites(Set.of());
    }

    private static ThreadScope openForWrites(Set<String> written) {
        ThreadScope outer = current();
        for (ThreadScope around = outer; around != null && !around.separate; around = around.outer) {
            around.writesSoFar = together(around.writesSoFar, written);
        }
        if (outer == null) {
            return entered(new ThreadScope(CURRENT.get(), unknownClient(), null, written));
        }
        ThreadScope scope = new ThreadScope(outer, outer.session, outer.contract, written);
        scope.stickyDatabase = outer.stickyDatabase;
        scope.stickyReplica = outer.stickyReplica;
        return entered(scope);
    }

    /** More than floors tell apart are as good as anything, and what goes on for long must not gather them. */
    private static Set<String> together(Set<String> some, Set<String> others) {
        if (some.isEmpty() || others.isEmpty()) {
            return Set.of();
        }
        if (some.containsAll(others)) {
            return some;
        }
        Set<String> all = new HashSet<>(some);
        all.addAll(others);
        return all.size() > Floors.MOST_SCOPES ? Set.of() : Collections.unmodifiableSet(all);
    }

    private static Set<String> writes(@Nullable ThreadScope scope) {
        return scope == null ? Set.of() : scope.writes;
    }

    private static FreshnessSession unknownClient() {
        return FreshnessSession.ofUnknownClient(System.nanoTime());
    }

    private static ThreadScope entered(ThreadScope scope) {
        CURRENT.set(scope);
        return scope;
    }

    /**
     * Whether this scope has not ended yet.
     *
     * @return false from the beginning of {@link #close()}
     */
    public boolean isOpen() {
        return this.open;
    }

    /**
     * The session in force.
     *
     * @return the session
     */
    public FreshnessSession session() {
        return this.session;
    }

    /**
     * The contract in force.
     *
     * @return the contract, joined with those around it; null if none is in force
     */
    public @Nullable FreshnessContract contract() {
        return this.contract;
    }

    /**
     * What a statement is of that is written now.
     *
     * @return the business objects, empty for anything
     */
    public Set<String> writes() {
        return this.writes;
    }

    /**
     * What a transaction is of that began in this scope and ends now. Writes that were prepared further inside may reach the
     * database only with its commit.
     *
     * @return the business objects, empty for anything: where a scope inside was of anything, where there were too many, and
     *     where the transaction has outlived this scope
     */
    public Set<String> writesOfTransaction() {
        return this.open ? this.writesSoFar : Set.of();
    }

    /**
     * The run of a method that may have to be repeated.
     *
     * @return the innermost one that goes on, null if none does
     */
    public @Nullable ReadAttempt attempt() {
        return this.attempt;
    }

    /**
     * What failed the first run of a method.
     *
     * @return the failure if this is its second run, else null
     */
    public ReadAttempt.@Nullable Failure rerun() {
        return this.rerun;
    }

    /**
     * The replica that served this scope last, to be preferred while it meets the contract.
     *
     * @param database a database
     * @return the replica's index, or {@link #NO_REPLICA}
     */
    public int stickyReplica(String database) {
        return database.equals(this.stickyDatabase) ? this.stickyReplica : NO_REPLICA;
    }

    /**
     * Notes the replica that serves this scope.
     *
     * @param database its database
     * @param replica its index
     */
    public void stickTo(String database, int replica) {
        this.stickyDatabase = database;
        this.stickyReplica = replica;
    }

    /**
     * Notes what became of a contract in this scope.
     *
     * @param newest tells it when asked
     */
    public void decided(Supplier<FreshnessVerdict> newest) {
        this.verdict = newest;
    }

    /**
     * What became of the newest read under a contract, in this scope or in one inside of it.
     *
     * @return the verdict, null if there was none
     */
    public @Nullable FreshnessVerdict verdict() {
        return this.verdict == null ? null : this.verdict.get();
    }

    /**
     * Asks to be told when this scope ends.
     *
     * @param action run once by {@link #close()}; must not throw
     */
    public void onClose(Runnable action) {
        if (this.onClose == null) {
            this.onClose = new ArrayList<>(1);
        }
        this.onClose.add(action);
    }

    /**
     * Takes back what {@link #onClose} asked for.
     *
     * @param action the same action
     */
    public void forget(Runnable action) {
        if (this.onClose != null) {
            this.onClose.remove(action);
        }
    }

    /** Ends this scope and every scope inside it that was left open, and puts the one around it back in force. */
    @Override
    public void close() {
        this.open = false;
        ThreadScope around = this.outer;
        if (around == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(around);
        }
        if (around != null && !this.separate) {
            around.verdict = this.verdict == null ? around.verdict : this.verdict;
            if (around.contract != null && this.stickyDatabase != null) {
                // What met this contract meets the one around it, which is no stricter.
                around.stickyDatabase = this.stickyDatabase;
                around.stickyReplica = this.stickyReplica;
            }
        }
        List<Runnable> actions = this.onClose;
        if (actions != null) {
            this.onClose = null;
            actions.forEach(Runnable::run);
        }
    }
}
