/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Says of a refused write where it was refused and why. Found among the suppressed exceptions of the database's own 25006,
 * so that it is printed with it.
 */
final class RefusedWrite extends Exception {

    private RefusedWrite(String message) {
        super(message, null, false, false);
    }

    /**
     * Adds the word to a failure that is such a refusal.
     *
     * @param readOnly whether the transaction, or in auto-commit the connection, was declared read-only
     * @param autoCommit whether the statement was a unit of its own
     * @param contract the contract in force, null for none
     */
    static void explain(
            SQLException failure,
            Lease lease,
            boolean readOnly,
            boolean autoCommit,
            @Nullable FreshnessContract contract) {
        if (!"25006".equals(failure.getSQLState())) {
            return;
        }
        StringBuilder message = new StringBuilder("Refused on ").append(lease.nodeName());
        if (readOnly) {
            message.append(autoCommit ? ": the connection" : ": the transaction")
                    .append(" was declared read-only");
        } else if (!lease.isWriter()) {
            message.append(": contracts speak of reads, which replicas answer");
        }
        if (contract != null) {
            message.append("; under ").append(contract.mode()).append(" of ").append(contract.declaredBy());
        }
        failure.addSuppressed(new RefusedWrite(message.toString()));
    }
}
