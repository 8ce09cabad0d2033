/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.OnUnmet;
import dev.freshness.ReplicaConflictException;
import dev.freshness.session.ReadAttempt;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What became of the replica's connections that a logical connection used.
 *
 * <p>Guarantees that each recovery conflict and each lost connection is told once, however many calls fail because of it,
 * and that whoever meets a conflict gets a {@link ReplicaConflictException}, also where the transaction that it cancelled
 * is used any further.
 *
 * <p>Confined to its logical connection.
 */
final class ReplicaFailures {

    private final UnitRouting routing;

    /** The connection whose failure was told last, until its transaction ends. */
    private @Nullable Lease failed;

    private boolean conflict;

    private boolean ended;

    ReplicaFailures(UnitRouting routing) {
        this.routing = routing;
    }

    /**
     * A call failed on a connection.
     *
     * @param unit what runs on it, null if that is not known
     * @param attempt the run of a method whose own transaction it was, null if it was none
     * @throws ReplicaConflictException if that was a recovery conflict
     */
    void failed(Lease lease, SQLException failure, @Nullable Unit unit, @Nullable ReadAttempt attempt) {
        if (lease.isWriter() || lease.isGivenUp()) {
            return;
        }
        boolean broken = lease.isBroken();
        if (lease == this.failed && isAftermath(failure, broken)) {
            if (this.conflict) {
                throw conflict(lease, failure, unit, broken);
            }
            return;
        }
        ReplicaFailure kind = ReplicaFailure.of(failure, broken);
        if (kind == ReplicaFailure.CALLERS) {
            return;
        }
        this.failed = lease;
        this.conflict = kind == ReplicaFailure.CONFLICT;
        this.ended = broken;
        if (attempt != null && unit != null && mayRunOnWriter(unit)) {
            attempt.failed(this.routing.failure(
                    this.conflict ? ReadAttempt.Cause.RECOVERY_CONFLICT : ReadAttempt.Cause.CONNECTION_LOST));
        }
        if (this.conflict) {
            this.routing.conflict(lease, broken);
            throw conflict(lease, failure, unit, broken);
        }
        this.routing.lost(lease);
    }

    /**
     * A rollback failed on a connection.
     *
     * @return whether nothing is left to roll back, because the connection is gone and its transaction with it
     */
    boolean isRolledBack(Lease lease, SQLException failure, @Nullable Unit unit) {
        if (lease.isWriter() || !lease.isBroken()) {
            return false;
        }
        try {
            failed(lease, failure, unit, null);
        } catch (ReplicaConflictException ex) {
            // Told. Whoever rolls back does not need to know why there is nothing to roll back any more.
            return true;
        }
        return true;
    }

    void transactionEnded() {
        this.failed = null;
    }

    private static boolean mayRunOnWriter(Unit unit) {
        return unit.contract() != null && unit.contract().onUnmet() != OnUnmet.REJECT;
    }

    /** Whether a failure only shows that the transaction had failed before. */
    private boolean isAftermath(SQLException failure, boolean broken) {
        return "25P02".equals(failure.getSQLState()) || broken && this.ended;
    }

    private ReplicaConflictException conflict(Lease lease, SQLException failure, @Nullable Unit unit, boolean broken) {
        FreshnessContract contract = unit == null ? null : unit.contract();
        return new ReplicaConflictException(
                lease.nodeName() + " of database " + this.routing.database() + " "
                        + (broken ? "ended the connection of a read" : "cancelled a read")
                        + (contract == null ? "" : " under " + contract.mode() + " of " + contract.declaredBy())
                        + ", which stood in the way of replay (recovery conflict)",
                failure);
    }
}
