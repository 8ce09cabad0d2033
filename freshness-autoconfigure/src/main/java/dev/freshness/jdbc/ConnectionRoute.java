/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.routing.Reason;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessScope;
import dev.freshness.session.FreshnessSession;
import dev.freshness.topology.ServerIdentity;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The route of one logical connection: which physical connection its statements run on, from one unit to the next.
 *
 * <p>Guarantees that a transaction stays on the node and the physical connection of its first statement. A replica's
 * connection goes back at the end of its transaction or, without one, of its contract scope; the writer's stays until
 * another node is needed or the logical connection is closed, so that with no contract in force it behaves as the pool's
 * own. A connection whose statements are still open is kept until they are closed.
 *
 * <p>What it does when it cannot know: after a commit in doubt, and after a statement that may have written outside of a
 * transaction, the session's floor is unknown.
 *
 * <p>Confined to its logical connection. Owns the physical connections it holds, until {@link #close}.
 */
final class ConnectionRoute implements UnitRouting.Exchange {

    private final UnitRouting routing;

    private final CommitCapture capture;

    private final JoinedContracts joined;

    private final ConnectionSettings settings;

    private final List<Lease> parked = new ArrayList<>(0);

    private final Runnable atScopeEnd = this::scopeEnded;

    private @Nullable FreshnessScope watchedScope;

    private @Nullable Lease lease;

    private @Nullable Unit transaction;

    private @Nullable Unit statement;

    private boolean begun;

    private @Nullable FreshnessContract contractAtBegin;

    private @Nullable FreshnessSession sessionAtBegin;

    ConnectionRoute(UnitRouting routing, CommitCapture capture, ConnectionSettings settings) {
        this.routing = routing;
        this.capture = capture;
        this.joined = new JoinedContracts(routing);
        this.settings = settings;
    }

    /** A transaction begins: its contract is the one in force now. */
    void transactionBegins() {
        FreshnessScope scope = FreshnessScope.current();
        this.begun = true;
        this.contractAtBegin = contract(scope);
        this.sessionAtBegin = scope == null ? null : scope.session();
        this.statement = null;
    }

    boolean isInTransaction() {
        return this.transaction != null;
    }

    /** The connection that a new statement belongs to. */
    Lease forNewStatement() throws SQLException {
        if (!this.settings.autoCommit) {
            return transaction().lease();
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
        if (unit.lease() != owner) {
            throw new SQLException(
                    "The statement belongs to an earlier unit of work on " + owner.nodeName() + "; this one runs on "
                            + unit.lease().nodeName(),
                    "25000");
        }
    }

    private boolean isStillRight(Unit unit) {
        FreshnessScope scope = FreshnessScope.current();
        FreshnessContract contract = contract(scope);
        return Objects.equals(unit.contract(), contract)
                && unit.lease() == this.lease
                && (unit.lease().isWriter() || Objects.equals(unit.floor(), floor(scope)));
    }

    private static @Nullable FreshnessContract contract(@Nullable FreshnessScope scope) {
        return scope == null ? null : scope.contract();
    }

    private @Nullable Floor floor(@Nullable FreshnessScope scope) {
        return scope == null ? null : scope.session().floor(this.routing.database());
    }

    /** Called after a statement was executed, successfully or not. */
    void afterExecute(Lease owner, @Nullable String sql) {
        if (!owner.isWriter()) {
            return;
        }
        boolean mayHaveCommitted = this.settings.autoCommit ? !PlainRead.isPlainRead(sql) : !owner.isInTransaction();
        if (mayHaveCommitted) {
            mark(owner.profile());
        }
    }

    private Unit decideStatement() throws SQLException {
        FreshnessScope scope = FreshnessScope.current();
        FreshnessContract contract = contract(scope);
        Unit unit;
        if (scope == null || contract == null) {
            unit = this.routing.unmarked(this, scope == null ? null : scope.session());
        } else if (isSerializable()) {
            unit = this.routing.onWriter(this, contract, scope.session(), Reason.SERIALIZABLE);
        } else {
            unit = this.routing.read(this, contract, scope.session(), scope);
            watch(scope);
        }
        servedBy(scope == null ? null : scope.session(), unit.lease());
        return unit;
    }

    private Unit transaction() throws SQLException {
        FreshnessScope scope = FreshnessScope.current();
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

    private Unit begin(@Nullable FreshnessScope scope, @Nullable FreshnessContract contract) throws SQLException {
        FreshnessContract current = contract(scope);
        FreshnessSession session = scope == null ? this.sessionAtBegin : scope.session();
        Unit unit;
        if (contract == null || session == null) {
            unit = this.routing.unmarked(this, session);
        } else {
            FreshnessContract tightened = current == null ? contract : current.joinedTo(contract);
            if (!this.settings.readOnly) {
                unit = this.routing.onWriter(this, tightened, session, Reason.READ_WRITE);
            } else if (isSerializable()) {
                unit = this.routing.onWriter(this, tightened, session, Reason.SERIALIZABLE);
            } else {
                unit = this.routing.read(this, tightened, session, null);
            }
        }
        servedBy(session, unit.lease());
        return unit;
    }

    private boolean isSerializable() {
        Integer isolation = this.settings.isolation;
        return isolation != null && isolation == Connection.TRANSACTION_SERIALIZABLE;
    }

    private static void servedBy(@Nullable FreshnessSession session, Lease lease) {
        if (session != null) {
            session.servedBy(lease.nodeName());
        }
    }

    /** Commits what is open, and raises the session's floor before it returns. */
    void commit() throws SQLException {
        Unit open = this.transaction;
        if (open == null) {
            this.begun = false;
            return;
        }
        Lease owner = open.lease();
        try {
            if (owner.isWriter() && this.routing.hasReplicas() && session() != null) {
                publish(this.capture.commit(owner));
            } else {
                owner.physical().commit();
            }
        } catch (SQLException ex) {
            if (owner.isWriter() && owner.isBroken()) {
                // In doubt: the server may have committed before the connection broke.
                mark(owner.profile());
            }
            throw ex;
        } finally {
            endTransaction(owner);
        }
    }

    /** Rolls back what is open. */
    void rollback() throws SQLException {
        Unit open = this.transaction;
        this.begun = false;
        if (open != null) {
            try {
                open.lease().physical().rollback();
            } finally {
                endTransaction(open.lease());
            }
        } else if (this.lease != null && this.lease.isBroken()) {
            // As the pool's own connection does, so that callers do not take a commit in doubt for rolled back.
            this.lease.physical().rollback();
        }
    }

    private void endTransaction(Lease owner) throws SQLException {
        this.transaction = null;
        this.begun = false;
        owner.transactionEnded();
        if (!owner.isWriter()) {
            letGo();
        }
    }

    private @Nullable FreshnessSession session() {
        FreshnessScope scope = FreshnessScope.current();
        return scope == null ? this.sessionAtBegin : scope.session();
    }

    private void publish(CommitResult result) {
        FreshnessSession session = session();
        if (session == null) {
            return;
        }
        if (result instanceof CommitResult.Captured captured) {
            session.raise(this.routing.database(), captured.position(), captured.askedAt(), captured.writer());
        } else if (result instanceof CommitResult.Unknown unknown) {
            session.mark(this.routing.database(), System.nanoTime(), unknown.writer());
        }
    }

    private void mark(@Nullable ConnectionProfile profile) {
        FreshnessSession session = session();
        if (session != null && this.routing.hasReplicas()) {
            ServerIdentity writer = profile == null ? null : profile.identity();
            session.mark(this.routing.database(), System.nanoTime(), writer);
        }
    }

    /** A connection for what is not a statement: the one held, or else the writer's. Decides nothing. */
    Lease held() throws SQLException {
        return this.lease == null ? to(Lease.WRITER) : this.lease;
    }

    /** The connection held now, if any. */
    @Nullable
    Lease heldOrNull() {
        return this.lease;
    }

    /** The driver's own connection was handed out on the writer: whatever is done with it may have written. */
    void handedOut(Lease owner) {
        if (owner.isWriter()) {
            mark(owner.profile());
        }
    }

    @Override
    public Lease to(int node) throws SQLException {
        Lease held = this.lease;
        if (held == null || held.node() != node) {
            letGo();
            held = this.routing.borrow(node);
            this.lease = held;
        }
        this.settings.applyTo(held);
        return held;
    }

    @Override
    public void evict(Lease owner) {
        if (owner == this.lease) {
            this.lease = null;
        }
        owner.evict();
    }

    private void letGo() throws SQLException {
        Lease held = this.lease;
        this.lease = null;
        this.statement = null;
        if (held != null) {
            if (held.hasOpenStatements()) {
                this.parked.add(held);
            } else {
                held.release();
            }
        }
    }

    void statementClosed(Lease owner) throws SQLException {
        owner.statementClosed();
        if (!owner.hasOpenStatements() && this.parked.remove(owner)) {
            owner.release();
        }
    }

    private void watch(FreshnessScope scope) {
        Lease held = this.lease;
        if (held != null && !held.isWriter() && this.watchedScope != scope) {
            unwatch();
            this.watchedScope = scope;
            scope.onClose(this.atScopeEnd);
        }
    }

    private void unwatch() {
        if (this.watchedScope != null) {
            this.watchedScope.forget(this.atScopeEnd);
            this.watchedScope = null;
        }
    }

    private void scopeEnded() {
        this.watchedScope = null;
        Lease held = this.lease;
        if (held != null && !held.isWriter() && this.transaction == null) {
            try {
                letGo();
            } catch (SQLException ex) {
                // The scope ends whatever happens to a connection that was done with.
                held.evict();
            }
        }
    }

    /** Gives everything back. What is open is rolled back. */
    void close() throws SQLException {
        unwatch();
        this.transaction = null;
        this.statement = null;
        Lease held = this.lease;
        this.lease = null;
        if (held != null) {
            this.parked.add(held);
        }
        SQLException failure = null;
        for (Lease owned : this.parked) {
            try {
                owned.release();
            } catch (SQLException ex) {
                failure = ex;
            }
        }
        this.parked.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
