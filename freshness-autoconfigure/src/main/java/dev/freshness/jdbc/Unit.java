/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.topology.ReplicaState;
import org.jspecify.annotations.Nullable;

/**
 * A transaction, or under a contract without one a single auto-commit statement, whose route is decided.
 *
 * @param lease where it runs
 * @param contract the contract it was decided under, null if it is unmarked
 * @param writes how often the session had written at the decision, 0 without a session
 * @param replica the replica as it was observed before the first statement, null on the writer
 * @param met whether the replica met the contract, or only served because stale answers are allowed
 */
record Unit(
        Lease lease,
        @Nullable FreshnessContract contract,
        int writes,
        @Nullable ReplicaState replica,
        boolean met) {

    static Unit onWriter(Lease lease, @Nullable FreshnessContract contract, int writes) {
        return new Unit(lease, contract, writes, null, true);
    }
}
