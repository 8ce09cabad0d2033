/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.ContractConflictException;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.routing.Reason;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks contracts that join a transaction whose route is already fixed. A joined contract never waits and never moves
 * the transaction: it is met, or the caller is told.
 *
 * <p>A statement of a READ COMMITTED transaction sees everything up to its own begin, so the newest observation counts.
 * Under REPEATABLE READ and SERIALIZABLE the snapshot is as old as the first statement, and so is what counts: on a
 * replica its position of then, on the writer the session's floor of then.
 *
 * <p>Confined to its logical connection.
 */
final class JoinedContracts {

    private static final Logger logger = LoggerFactory.getLogger(JoinedContracts.class);

    private final UnitRouting routing;

    private @Nullable FreshnessContract beganUnder;

    private @Nullable FreshnessContract checked;

    private int checkedWrites;

    JoinedContracts(UnitRouting routing) {
        this.routing = routing;
    }

    /** A transaction's route was decided; it began under a contract, which a joined call may have tightened since. */
    void transactionBegan(Unit unit, @Nullable FreshnessContract beganUnder) {
        this.beganUnder = beganUnder;
        this.checked = unit.contract();
        this.checkedWrites = unit.writes();
        if (beganUnder == null && unit.contract() != null) {
            logJoined(unit, unit.contract());
        }
    }

    /**
     * Checks the contract in force before a statement.
     *
     * @throws ContractConflictException if the transaction cannot meet it
     */
    void check(Unit unit, @Nullable ThreadScope scope, @Nullable Integer isolation) throws SQLException {
        FreshnessContract contract = scope == null ? null : scope.contract();
        if (scope == null || contract == null) {
            return;
        }
        int writes = scope.session().writes(this.routing.database());
        if (contract.equals(this.checked)
                && (contract.mode() != FreshnessMode.READ_YOUR_WRITES || writes == this.checkedWrites)) {
            return;
        }
        DatabaseState state = this.routing.state();
        long now = System.nanoTime();
        boolean snapshot = isSnapshot(unit.lease(), isolation);
        Reason reason;
        if (unit.replica() == null) {
            Floor floor = this.routing.floor(contract, scope.session(), state, now);
            reason = unmetOnWriter(unit, contract, writes, floor, snapshot);
        } else if (snapshot) {
            reason = unmetBySnapshot(unit.replica(), contract, scope.session(), state, now);
        } else {
            reason = this.routing.unmet(contract, scope.session(), unit.lease().node(), state, now);
        }
        if (reason != null) {
            if (this.routing.isEnforcedFor(scope.session())) {
                throw conflict(unit, contract, reason);
            }
            this.routing.wouldConflict(contract, scope.session(), reason);
        }
        this.checked = contract;
        this.checkedWrites = writes;
        logJoined(unit, contract);
    }

    private void logJoined(Unit unit, FreshnessContract contract) {
        logger.debug(
                "{} of {} joined a transaction {} on {}",
                contract.mode(),
                contract.declaredBy(),
                began(),
                unit.lease().nodeName());
    }

    private String began() {
        return this.beganUnder == null
                ? "that began without a contract"
                : "that began under " + this.beganUnder.mode() + " of " + this.beganUnder.declaredBy();
    }

    private static boolean isSnapshot(Lease lease, @Nullable Integer isolation) throws SQLException {
        return (isolation == null ? lease.isolation() : isolation) > Connection.TRANSACTION_READ_COMMITTED;
    }

    private static @Nullable Reason unmetOnWriter(
            Unit unit, FreshnessContract contract, int writes, Floor floor, boolean snapshot) {
        if (!snapshot) {
            return null;
        }
        return switch (contract.mode()) {
            case EVENTUAL -> null;
            case READ_YOUR_WRITES -> {
                if (writes == unit.writes()) {
                    yield null;
                }
                yield floor instanceof Floor.Unknown ? Reason.FLOOR_UNKNOWN : Reason.BEHIND_FLOOR;
            }
            case AUTHORITATIVE_NOW ->
                unit.contract() != null && unit.contract().mode() == FreshnessMode.AUTHORITATIVE_NOW
                        ? null
                        : Reason.AUTHORITATIVE;
        };
    }

    /** Reads of a snapshot repeat by their nature, so that only the session's writes count. */
    private @Nullable Reason unmetBySnapshot(
            ReplicaState atBegin, FreshnessContract contract, FreshnessSession session, DatabaseState state, long now) {
        if (!(atBegin.observation() instanceof StandbyObservation standby)) {
            return Reason.POSITION_UNKNOWN;
        }
        Floor floor = contract.mode() == FreshnessMode.READ_YOUR_WRITES
                ? this.routing.floor(contract, session, state, now)
                : Floor.none();
        return this.routing.router().unmetAsOf(contract, floor, atBegin, standby, now);
    }

    private ContractConflictException conflict(Unit unit, FreshnessContract contract, Reason reason) {
        return new ContractConflictException(contract.mode() + " of " + contract.declaredBy()
                + " joined a transaction " + began() + " and has already read on "
                + unit.lease().nodeName() + ", which does not meet it: " + reason.tag()
                + ". Declare the contract where the transaction begins, or open a transaction of its own for it");
    }
}
