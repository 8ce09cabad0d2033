/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import java.util.Locale;

/** Why a unit goes where it goes, or why a replica does not meet a contract. */
public enum Reason {

    /** The contract is met. */
    CONTRACT_MET,

    /** AUTHORITATIVE_NOW asks for the writer. */
    AUTHORITATIVE,

    /** A transaction that was not declared read-only runs on the writer whatever the contract. */
    READ_WRITE,

    /** Standbys refuse SERIALIZABLE. */
    SERIALIZABLE,

    /** A statement before may have set something on the session, so its connection is kept. */
    SESSION_STATE,

    /** No replica is configured. */
    NO_REPLICAS,

    /** What the client has written is not known. */
    FLOOR_UNKNOWN,

    /** What the client has written is not known, and the server that took it no longer runs. */
    HISTORY_CHANGED,

    /** The replica has not replayed the client's writes. */
    BEHIND_FLOOR,

    /** The session has read on another node, and it is not known yet that this one is as far. */
    BEHIND_READS,

    /** The floor and the replica are of different histories. */
    OTHER_HISTORY,

    /** The replica's staleness bound is above the contract's. */
    TOO_STALE,

    /** The replica's staleness bound is not known. */
    STALENESS_UNKNOWN,

    /** The replica did not say where it is. */
    POSITION_UNKNOWN,

    /** The node is not in recovery, so it is not a replica. */
    NOT_A_STANDBY,

    /** The newest probe of the replica failed. */
    PROBE_FAILED,

    /** The replica was not observed, or too long ago. */
    NOT_OBSERVED,

    /** A connection to the replica failed lately. */
    OUT_AFTER_FAILURE,

    /** An operator has taken the replica out. */
    TAKEN_OUT,

    /** No connection could be borrowed from the replicas that met the contract. */
    BORROW_FAILED,

    /** The method runs again because a replica cancelled its first run to go on with replay. */
    RECOVERY_CONFLICT,

    /** The method runs again because the connection of its first run was lost. */
    CONNECTION_LOST,

    /** Contracts are only observed, so everything runs on the writer. */
    OBSERVED,

    /** No more reads may fall back to the writer at the moment. */
    FALLBACK_EXHAUSTED,

    /** The node configured as the writer is in recovery. */
    WRITER_IN_RECOVERY;

    /**
     * Whether the reason lies in what the client has written, as far as that is known.
     *
     * @return whether a better known floor might change the outcome
     */
    public boolean isOfFloor() {
        return switch (this) {
            case FLOOR_UNKNOWN, HISTORY_CHANGED, BEHIND_FLOOR, OTHER_HISTORY -> true;
            default -> false;
        };
    }

    /**
     * The value of the metric tag {@code reason}.
     *
     * @return for example {@code behind-floor}
     */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
