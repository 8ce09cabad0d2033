/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ReadAttempt;
import dev.freshness.session.ThreadScope;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The route of one logical connection: which physical connection its statements run on, from one unit to the next.
 *
 * <p>Guarantees that a transaction stays on the node and the physical connection of its first statement. A replica's
 * connection goes back at the end of its transaction or, without one, of its contract scope; the writer's stays until
 * another node is needed or the logical connection is closed, so that with no contract in force it behaves as the pool's
 * own. A connection whose statements are still open is kept until they are closed, and one on whose session an
 * auto-commit statement may have set something until the logical connection is closed.
 *
 * <p>A logical connection that outlives the contract scope it was opened in, as that of a persistence context does, gives
 * back whatever it holds at the end of that scope, and from then on after each statement.
 *
 * <p>What it does when it cannot know: after a commit in doubt, and after a statement that may have written outside of a
 * transaction, the session's floor is unknown.
 *
 * <p>Confined to its logical connection.
 */
final class ConnectionRoute {

    /** Follows the name of a node whose answer may be older than its contract wants. */
    private static final String STALE = ";stale";

    private final UnitRouting routing;

    private final FloorRecorder floors;

    private final JoinedContracts joined;

    private final ConnectionSettings settings;

    private final LeaseHolder leases;

    private final UnitDecisions decisions;

    private final ReplicaFailures failures;

    private final StatementAftermath aftermath;

    private final TransactionEnds ends;

    private final ScopeEnds scopes = new ScopeEnds(this::scopeEnded);

    private @Nullable Unit transaction;

    /** Decided for a statement that was made and not executed yet. */
    private @Nullable Unit statement;

    /** Decided for the newest execution. */
    private @Nullable Unit executing;

    private boolean begun;

    private @Nullable FreshnessContract contractAtBegin;

    private @Nullable FreshnessSession sessionAtBegin;

    /** What tells which business objects the transaction is of; null for anything. */
    private @Nullable ThreadScope scopeAtBegin;

    /** The run of a method that the transaction began in. */
    private @Nullable ReadAttempt attemptAtBegin;

    /** Who used the connection last; null before and after. */
    private @Nullable Thread thread;

    ConnectionRoute(UnitRouting routing, FloorRecorder floors, ConnectionSettings settings) {
        this.routing = routing;
        this.floors = floors;
        this.joined = new JoinedContracts(routing);
        this.settings = settings;
        this.leases = new LeaseHolder(routing, settings);
        this.decisions = new UnitDecisions(routing, settings, this.leases);
        this.failures = new ReplicaFailures(routing);
        this.aftermath = new StatementAftermath(routing, floors, settings);
        this.ends = new TransactionEnds(floors, this.failures);
    }

    /** A transaction begins: its contract is the one in force now. */
    void transactionBegins() {
        ThreadScope scope = ThreadScope.current();
        this.begun = true;
        this.contractAtBegin = contract(scope);
        this.sessionAtBegin = scope == null ? null : scope.session();
        this.scopeAtBegin = scope;
        this.attemptAtBegin = attempt(scope);
        if (this.attemptAtBegin != null) {
            this.attemptAtBegin.transactionBegins(this.routing.database(), this);
        }
        this.statement = null;
        usedByThread();
    }

    /** Whether a transaction has begun, even if only to be, that may write and has not ended. */
    boolean isOpenForWrites() {
        return this.begun && !this.settings.readOnly;
    }

    boolean isInTransaction() {
        return this.transaction != null;
    }

    /** Gives an idle connection back, so that another one can be borrowed on this thread meanwhile. */
    void letIdleGo() {
        if (this.transaction == null) {
            this.statement = null;
            this.leases.letIdleGo();
        }
    }

    private void usedByThread() {
        if (isNotOfThisThread() && this.routing.hasReplicas()) {
            this.thread = Thread.currentThread();
            this.routing.threads().add(this);
        }
    }

    boolean isNotOfThisThread() {
        return this.thread != Thread.currentThread();
    }

    boolean holdsWriter() {
        return this.leases.holdsWriter();
    }

    /** Whether a transaction is open on the writer, or a read that fell back to it goes on. */
    boolean isBusyOnWriter() {
        return this.transaction != null && this.transaction.lease().isWriter()
                || this.leases.isFallback()
                || this.leases.current() != null
                        && this.leases.current().isWriter()
                        && this.leases.current().isInTransaction();
    }

    /** The connection that a new statement belongs to. */
    Lease forNewStatement() throws SQLException {
        if (!this.settings.autoCommit) {
            Lease lease = transaction().lease();
            if (!lease.isWriter() && lease.isBroken()) {
                SQLException gone = new SQLException("The connection to " + lease.nodeName() + " is gone", "08003");
                failed(lease, gone);
                throw gone;
            }
            return lease;
        }
        Unit unit = decideStatement();
        // Used up by the first execution; every later one is a unit of its own.
        this.statement = unit;
        return unit.lease();
    }

    /** Called before a statement is executed. */
    void beforeExecute(Lease owner) throws SQLException {
        Unit unit;
        if (this.settings.autoCommit) {
            unit = this.statement;
            if (unit == null || !isStillRight(unit)) {
                unit = decideStatement();
            }
            this.statement = null;
        } else {
            unit = transaction();
        }
        this.executing = unit;
        if (unit.lease() != owner) {
            throw new SQLException(
                    "The statement belongs to an earlier unit of work on " + owner.nodeName() + "; this one runs on "
                            + unit.lease().nodeName(),
                    "25000");
        }
    }

    /** Time may have passed between making a statement and executing it. */
    private boolean isStillRight(Unit unit) {
        ThreadScope scope = ThreadScope.current();
        return unit.lease() == this.leases.current()
                && Objects.equals(unit.contract(), contract(scope))
                && (unit.replica() == null || !unit.met() || scope != null && this.routing.isStillMet(unit, scope));
    }

    /** Called after a statement was executed, successfully or not. */
    void afterExecute(Lease owner, @Nullable String sql) {
        if (this.settings.autoCommit) {
            afterExecute(owner, StatementKind.of(sql));
        } else {
            afterExecuteInTransaction(owner);
        }
    }

    /** Called after a batch was executed, successfully or not. */
    void afterExecute(Lease owner, StatementKind kind) {
        if (this.settings.autoCommit) {
            this.aftermath.ofStatement(owner, kind, this.executing, session());
        } else {
            afterExecuteInTransaction(owner);
        }
    }

    private void afterExecuteInTransaction(Lease owner) {
        this.aftermath.inTransaction(owner, this.executing, session());
    }

    /**
     * Called after a call to the database failed. Adds to a refusal of a write where it happened and why it was not allowed
     * there, and tells what became of a replica's connection.
     *
     * @throws dev.freshness.ReplicaConflictException if a replica cancelled the work to go on with replay
     */
    void failed(Lease owner, SQLException failure) {
        RefusedWrite.explain(
                failure, owner, this.settings.readOnly, this.settings.autoCommit, contract(ThreadScope.current()));
        this.failures.failed(owner, failure, unitOn(owner), ownAttempt());
    }

    /** Whether a rollback to a savepoint failed because the transaction is gone, as the rollback that follows will find. */
    boolean isRolledBack(Lease owner, SQLException failure) {
        return this.failures.isRolledBack(owner, failure, unitOn(owner));
    }

    /** Called when a statement has delivered the first of its rows. */
    void delivered(Statement statement) throws SQLException {
        ReadAttempt attempt = attempt(ThreadScope.current());
        if (attempt != null && statement.getFetchSize() > 0) {
            // Somebody has rows that the server was not done with.
            attempt.spoil();
        }
    }

    /** The run of a method whose own transaction is the one open here. */
    private @Nullable ReadAttempt ownAttempt() {
        ReadAttempt attempt = this.attemptAtBegin;
        return this.transaction != null && attempt != null && attempt.isOwn(this) ? attempt : null;
    }

    private static @Nullable ReadAttempt attempt(@Nullable ThreadScope scope) {
        return scope == null ? null : scope.attempt();
    }

    private @Nullable Unit unitOn(Lease owner) {
        Unit unit = this.transaction == null ? this.executing : this.transaction;
        return unit != null && unit.lease() == owner ? unit : null;
    }

    private Unit decideStatement() throws SQLException {
        markHandedOut();
        ThreadScope scope = ThreadScope.current();
        FreshnessContract contract = contract(scope);
        FreshnessSession session = scope == null ? null : scope.session();
        Unit unit = this.decisions.onStatement(contract, session, scope);
        if (scope != null
                && contract != null
                && (!unit.lease().isWriter() || unit.lease().isFallback())) {
            this.scopes.watchServed(scope);
        }
        decided(session, unit);
        return unit;
    }

    private Unit transaction() throws SQLException {
        ThreadScope scope = ThreadScope.current();
        Unit open = this.transaction;
        if (open == null) {
            FreshnessContract contract = this.begun ? this.contractAtBegin : contract(scope);
            open = begin(scope, contract);
            this.transaction = open;
            this.joined.transactionBegan(open, contract);
        } else {
            this.joined.check(open, scope, this.settings.isolation);
        }
        return open;
    }

    private Unit begin(@Nullable ThreadScope scope, @Nullable FreshnessContract contract) throws SQLException {
        markHandedOut();
        FreshnessContract current = contract(scope);
        FreshnessSession session = scope == null ? this.sessionAtBegin : scope.session();
        Unit unit = this.decisions.onTransaction(contract, current, session, scope);
        decided(session, unit);
        if (session != null && unit.lease().isWriter() && TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new CommitHook(() -> committedElsewhere(unit)));
        }
        return unit;
    }

    private void committedElsewhere(Unit unit) {
        if (unit.equals(this.transaction)) {
            this.floors.mark(unit.lease(), session(), scopesOfTransaction(), true);
        }
    }

    private static @Nullable FreshnessContract contract(@Nullable ThreadScope scope) {
        return scope == null ? null : scope.contract();
    }

    private void decided(@Nullable FreshnessSession session, Unit unit) {
        if (session != null) {
            session.servedBy(unit.met() ? unit.lease().nodeName() : unit.lease().nodeName() + STALE);
        }
        ReadAttempt attempt = attempt(ThreadScope.current());
        if (attempt != null) {
            attempt.routed(this.routing.database(), unit.lease().isWriter());
        }
        this.scopes.watchHome();
        usedByThread();
    }

    /** Commits what is open, and raises the session's floor before it returns. */
    void commit() throws SQLException {
        Unit open = this.transaction;
        if (open == null) {
            this.begun = false;
            return;
        }
        try {
            FreshnessSession session = session();
            this.ends.commit(open, session, scopesOfTransaction(), ownAttempt());
            if (session == null && !this.settings.readOnly) {
                this.floors.committedWithoutSession(open.lease());
            }
        } finally {
            endTransaction(open.lease());
        }
    }

    /** Rolls back what is open. */
    void rollback() throws SQLException {
        Unit open = this.transaction;
        this.begun = false;
        if (open == null) {
            this.ends.rollbackAfterCommit(this.leases.current());
            return;
        }
        try {
            this.ends.rollback(open);
        } finally {
            endTransaction(open.lease());
        }
    }

    private void endTransaction(Lease owner) throws SQLException {
        boolean fallback = owner.isFallback();
        this.transaction = null;
        this.begun = false;
        this.scopeAtBegin = null;
        owner.transactionEnded();
        this.failures.transactionEnded();
        if (!owner.isWriter() || fallback || this.scopes.isAfterHome()) {
            letGo();
        }
        if (owner == this.leases.current()) {
            owner.unitEnded();
        }
    }

    private void letGo() throws SQLException {
        if (this.leases.pinned() == null) {
            this.statement = null;
            this.leases.letGo();
        }
    }

    /** A transaction whose begin was not seen may be of anything. */
    private Set<String> scopesOfTransaction() {
        return this.begun && this.scopeAtBegin != null ? this.scopeAtBegin.writesOfTransaction() : Set.of();
    }

    private @Nullable FreshnessSession session() {
        ThreadScope scope = ThreadScope.current();
        return scope == null ? this.sessionAtBegin : scope.session();
    }

    /** Whoever got the driver's own connection may have written through it since, and may be doing so now. */
    private void markHandedOut() {
        Lease handedOut = this.leases.handedOutWriter();
        if (handedOut != null) {
            this.floors.mark(handedOut, session(), Set.of(), false);
        }
    }

    /**
     * A connection for what is not a statement of ours. In a transaction it is the transaction's, which it may begin;
     * else the one held, or the writer's, and nothing is decided.
     */
    Lease held() throws SQLException {
        if (!this.settings.autoCommit) {
            return transaction().lease();
        }
        usedByThread();
        Lease held = this.leases.current();
        // What a replica was held for need not be what is in force now.
        return held == null || held.isWriter()
                ? this.leases.to(Lease.WRITER)
                : decideStatement().lease();
    }

    /** The isolation of transactions that were not told otherwise; asks a connection only if none has told yet. */
    int defaultIsolation() throws SQLException {
        Integer known = this.routing.defaultIsolation();
        return known == null ? undecided().isolation() : known;
    }

    /** The connection held now, if any. */
    @Nullable
    Lease heldOrNull() {
        return this.leases.current();
    }

    /**
     * A connection for what decides nothing: that of the transaction if its route is known, else the one held, else the
     * writer's. Nothing is begun on it.
     */
    Lease undecided() throws SQLException {
        if (this.transaction != null) {
            return this.transaction.lease();
        }
        Lease held = this.leases.current();
        if (held == null) {
            usedByThread();
            held = this.leases.to(Lease.WRITER);
        }
        if (isIdle(held)) {
            held.autoCommit(true);
        }
        return held;
    }

    /**
     * A connection whose driver's own is handed out: kept until the end of the transaction or, outside of one, until the
     * logical connection is closed.
     */
    Lease handOut() throws SQLException {
        Lease held = this.settings.autoCommit ? undecided() : transaction().lease();
        held.handOut(!this.settings.autoCommit);
        ReadAttempt attempt = attempt(ThreadScope.current());
        if (attempt != null) {
            attempt.spoil();
        }
        markHandedOut();
        return held;
    }

    void statementClosed(Lease owner) throws SQLException {
        this.leases.statementClosed(owner);
        if ((this.scopes.isAfterHome() || owner.isFallback())
                && owner == this.leases.current()
                && !owner.hasOpenStatements()
                && isIdle(owner)) {
            letGo();
            owner.unitEnded();
        }
    }

    private boolean isIdle(Lease held) {
        return this.transaction == null && !held.isInTransaction();
    }

    private void scopeEnded() {
        Lease held = this.leases.current();
        if (held != null && (!held.isWriter() || held.isFallback() || this.scopes.isAfterHome()) && isIdle(held)) {
            try {
                letGo();
            } catch (SQLException ex) {
                // The scope ends whatever happens to a connection that was done with.
                this.leases.evict(held);
            }
        }
    }

    /** Gives everything back. What is open is rolled back. */
    void close() throws SQLException {
        this.scopes.forgetAll();
        if (!isNotOfThisThread()) {
            this.routing.threads().remove(this);
        }
        this.thread = null;
        markHandedOut();
        this.transaction = null;
        this.statement = null;
        this.leases.close();
    }

    /** Throws everything away. Scopes may be another thread's and are left alone: they find nothing held. */
    void abort() {
        markHandedOut();
        this.transaction = null;
        this.statement = null;
        this.leases.abort();
    }
}
