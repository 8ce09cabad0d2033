/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Tells a node that cannot be connected to from a pool that is full: a pool that gave up waiting reports the connect that
 * failed meanwhile, if any did, as the cause.
 *
 * @see <a href="https://www.postgresql.org/docs/current/errcodes-appendix.html">PostgreSQL: error codes</a>
 */
final class ConnectFailure {

    private ConnectFailure() {}

    static boolean isOne(SQLException failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && isState(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    /** No connection, no resources for one, not let in, no such database, or shutting down or starting up. */
    private static boolean isState(@Nullable String state) {
        return state != null
                && (state.startsWith("08")
                        || state.startsWith("53")
                        || state.startsWith("28")
                        || state.startsWith("57P")
                        || state.equals("3D000"));
    }
}
