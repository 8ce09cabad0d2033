/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a failure on a replica's connection says.
 *
 * <p>A standby reports a serialization failure (40001) only for recovery conflicts: it refuses SERIALIZABLE, and
 * REPEATABLE READ raises it only for writes. The same holds for a deadlock (40P01), since readers deadlock with nobody but
 * replay.
 *
 * <p>What it does when it cannot know: a connection that broke for no reason that the server gave is a lost one; any other
 * failure is the caller's.
 *
 * @see <a href="https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-CONFLICT">PostgreSQL: handling query
 *     conflicts</a>
 */
enum ReplicaFailure {

    /** Replay was in the way. The transaction is dead, the node is well. */
    CONFLICT,

    /** The connection is gone, and maybe the node with it. */
    LOST,

    /** What the caller asked for or did: no word on the node. */
    CALLERS;

    /** Chains are short; one that goes in circles must not keep anybody. */
    private static final int LONGEST_CHAIN = 32;

    /**
     * Reads a failure, what it was chained with and what caused it. Of several that tell something the first counts: what
     * the server said comes before what the driver found afterwards.
     *
     * @param failure what the driver threw
     * @param broken whether the connection is closed now
     */
    static ReplicaFailure of(SQLException failure, boolean broken) {
        ReplicaFailure first = null;
        int left = LONGEST_CHAIN;
        for (Throwable each : failure) {
            String state = each instanceof SQLException sql ? sql.getSQLState() : null;
            if ("57P04".equals(state)) {
                // The database was dropped: it is so on every node.
                return CALLERS;
            }
            if (first == null) {
                first = ofState(state, broken);
            }
            if (--left == 0) {
                break;
            }
        }
        if (first != null) {
            return first;
        }
        return broken ? LOST : CALLERS;
    }

    private static @Nullable ReplicaFailure ofState(@Nullable String state, boolean broken) {
        if (state == null) {
            return null;
        }
        return switch (state) {
            case "40001", "40P01" -> CONFLICT;
            // The transaction or the session lay idle, or took, longer than a timeout of the server allows.
            case "25P03", "25P04", "57P05" -> CALLERS;
            case "57P01", "57P02", "57P03" -> LOST;
            // Closed, by whoever used it, or broken before.
            case "08003" -> broken ? LOST : null;
            default -> state.startsWith("08") ? LOST : null;
        };
    }
}
