/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.CommitInDoubtException;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ReadAttempt;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends the transactions of one logical connection.
 *
 * <p>Guarantees that the caller sees what the pool's own connection would show, a commit in doubt included, but that
 * nothing is left to roll back where a replica's connection is gone.
 *
 * <p>Confined to its logical connection.
 */
final class TransactionEnds {

    private final FloorRecorder floors;

    private final ReplicaFailures failures;

    /** Where the newest commit failed without an answer. */
    private @Nullable Lease inDoubt;

    TransactionEnds(FloorRecorder floors, ReplicaFailures failures) {
        this.floors = floors;
        this.failures = failures;
    }

    void commit(Unit open, @Nullable FreshnessSession session, Set<String> scopes, @Nullable ReadAttempt attempt)
            throws SQLException {
        try {
            this.inDoubt = null;
            this.floors.commit(open.lease(), session, scopes);
            if (attempt != null) {
                attempt.spoil();
            }
        } catch (SQLException ex) {
            this.inDoubt = CommitInDoubtException.isMarkedOn(ex) ? open.lease() : null;
            this.failures.failed(open.lease(), ex, open, attempt);
            throw ex;
        }
    }

    void rollback(Unit open) throws SQLException {
        try {
            open.lease().physical().rollback();
        } catch (SQLException ex) {
            if (!this.failures.isRolledBack(open.lease(), ex, open)) {
                throw ex;
            }
        }
    }

    /**
     * Rolls back after a commit that failed: as the pool's own connection does, so that callers do not take a commit in
     * doubt for rolled back, and nothing of the failed transaction is left.
     *
     * @param held the connection in use, if any
     */
    void rollbackAfterCommit(@Nullable Lease held) throws SQLException {
        if (held == null || !held.isBroken() && !held.isInTransaction()) {
            return;
        }
        try {
            held.physical().rollback();
        } catch (SQLException ex) {
            if (held == this.inDoubt) {
                // A transaction manager shows its caller this failure, and not that of the commit.
                ex.addSuppressed(new CommitInDoubtException(held.nodeName()));
            }
            throw ex;
        }
    }
}
