/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the statements of one logical connection leave behind for what follows: writes without a position, reads that later
 * ones may not go back behind, and connections that have to be kept.
 *
 * <p>What it does when it cannot know: a statement that may have written has.
 *
 * <p>Confined to its logical connection.
 */
final class StatementAftermath {

    private final UnitRouting routing;

    private final FloorRecorder floors;

    private final ConnectionSettings settings;

    StatementAftermath(UnitRouting routing, FloorRecorder floors, ConnectionSettings settings) {
        this.routing = routing;
        this.floors = floors;
        this.settings = settings;
    }

    /** A statement outside of a transaction was executed, successfully or not. */
    void ofStatement(Lease owner, StatementKind kind, @Nullable Unit unit, @Nullable FreshnessSession session) {
        noteRead(owner, unit);
        if (kind == StatementKind.OTHER && this.routing.hasReplicas()) {
            owner.pin();
        }
        if (kind != StatementKind.PLAIN_READ && owner.isWriter()) {
            ThreadScope scope = ThreadScope.current();
            this.floors.mark(owner, session, scope == null ? Set.of() : scope.writes(), true);
            FreshnessContract contract = contract(scope);
            if (contract != null && kind == StatementKind.DATA_CHANGE) {
                this.floors.wroteUnderContract(contract);
            }
        }
    }

    /** A statement in a transaction was executed, successfully or not. */
    void inTransaction(Lease owner, @Nullable Unit unit, @Nullable FreshnessSession session) {
        if (this.settings.readOnly) {
            noteRead(owner, unit);
        }
        if (owner.isWriter() && !owner.isInTransaction()) {
            // Committed by its text: whatever was done before it may be in there.
            this.floors.mark(owner, session, Set.of(), true);
        }
    }

    private void noteRead(Lease owner, @Nullable Unit unit) {
        ThreadScope scope = ThreadScope.current();
        if (scope == null || !this.routing.hasReplicas()) {
            return;
        }
        FreshnessContract decidedUnder = unit == null ? null : unit.contract();
        if (isMonotonic(scope.contract()) || isMonotonic(decidedUnder)) {
            this.floors.read(owner, unit == null ? null : unit.replica(), scope.session());
        }
    }

    private static boolean isMonotonic(@Nullable FreshnessContract contract) {
        return contract != null && contract.monotonic();
    }

    private static @Nullable FreshnessContract contract(@Nullable ThreadScope scope) {
        return scope == null ? null : scope.contract();
    }
}
