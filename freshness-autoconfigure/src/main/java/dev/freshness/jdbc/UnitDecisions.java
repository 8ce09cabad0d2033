/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.OnUnmet;
import dev.freshness.routing.Reason;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ReadAttempt;
import dev.freshness.session.ThreadScope;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the units of one logical connection by what is in force and how it is set: which go to the writer whatever
 * the replicas could do, which stay on a connection that is kept, and which are reads to be routed.
 *
 * <p>What it does when it cannot know: without a contract or a session the writer answers.
 *
 * <p>Confined to its logical connection.
 */
final class UnitDecisions {

    private final UnitRouting routing;

    private final ConnectionSettings settings;

    private final LeaseHolder leases;

    UnitDecisions(UnitRouting routing, ConnectionSettings settings, LeaseHolder leases) {
        this.routing = routing;
        this.settings = settings;
        this.leases = leases;
    }

    /** A statement outside of a transaction. */
    Unit onStatement(
            @Nullable FreshnessContract contract, @Nullable FreshnessSession session, @Nullable ThreadScope scope)
            throws SQLException {
        Lease pinned = this.leases.pinned();
        if (pinned != null) {
            return this.routing.kept().unit(this.leases, pinned, contract, session, null);
        }
        if (scope == null || contract == null) {
            return this.routing.onWriter(this.leases, null, session, null);
        }
        return TracedRoute.ofStatement(
                this.routing,
                contract,
                scope,
                () -> isSerializable()
                        ? this.routing.onWriter(this.leases, contract, session, Reason.SERIALIZABLE)
                        : read(contract, scope.session(), scope, scope));
    }

    /**
     * A transaction, with its first statement.
     *
     * @param contract the one in force when it began, null for unmarked work
     * @param current the one in force now, which may have joined it since
     */
    Unit onTransaction(
            @Nullable FreshnessContract contract,
            @Nullable FreshnessContract current,
            @Nullable FreshnessSession session,
            @Nullable ThreadScope scope)
            throws SQLException {
        if (contract == null || session == null) {
            // A joined call's contract is met by the writer's first statement; nothing of it moves the transaction.
            return onWriter(current, session, null);
        }
        FreshnessContract tightened = current == null ? contract : current.joinedTo(contract);
        return TracedRoute.ofTransaction(
                this.routing, tightened, scope, () -> onTransaction(tightened, session, scope));
    }

    private Unit onTransaction(FreshnessContract tightened, FreshnessSession session, @Nullable ThreadScope scope)
            throws SQLException {
        if (!this.settings.readOnly) {
            return onWriter(tightened, session, Reason.READ_WRITE);
        }
        if (isSerializable()) {
            return onWriter(tightened, session, Reason.SERIALIZABLE);
        }
        Lease pinned = this.leases.pinned();
        return pinned != null
                ? this.routing.kept().unit(this.leases, pinned, tightened, session, null)
                : read(tightened, session, scope, null);
    }

    private Unit read(
            FreshnessContract contract,
            FreshnessSession session,
            @Nullable ThreadScope scope,
            @Nullable ThreadScope sticky)
            throws SQLException {
        ReadAttempt.Failure first = scope == null ? null : scope.rerun();
        return first != null && first.database().equals(this.routing.database()) && contract.onUnmet() != OnUnmet.REJECT
                ? this.routing.again(this.leases, contract, session, first.cause())
                : this.routing.read(this.leases, contract, session, sticky);
    }

    private Unit onWriter(
            @Nullable FreshnessContract contract, @Nullable FreshnessSession session, @Nullable Reason reason)
            throws SQLException {
        Lease pinned = this.leases.pinned();
        // Kept on a replica it is refused, whatever contract has joined meanwhile.
        return pinned == null || pinned.isWriter()
                ? this.routing.onWriter(this.leases, contract, session, reason)
                : this.routing.kept().unit(this.leases, pinned, null, session, reason);
    }

    private boolean isSerializable() {
        Integer isolation = this.settings.isolation == null ? this.routing.defaultIsolation() : this.settings.isolation;
        return isolation != null && isolation == Connection.TRANSACTION_SERIALIZABLE;
    }
}
