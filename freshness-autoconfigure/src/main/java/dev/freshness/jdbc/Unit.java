/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.session.Floor;
import dev.freshness.topology.ReplicaState;
import org.jspecify.annotations.Nullable;

/**
 * A transaction, or under a contract without one a single auto-commit statement, whose route is decided.
 *
 * @param lease where it runs
 * @param contract the contract it was decided under, null if it is unmarked
 * @param floor the session's floor at the decision, null if there was no session
 * @param replica the replica as it was observed before the first statement, null on the writer
 */
record Unit(
        Lease lease,
        @Nullable FreshnessContract contract,
        @Nullable Floor floor,
        @Nullable ReplicaState replica) {}
