/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Keeps a pooled connection whose statement was refused because of what it asked for: a write where only reads are
 * allowed (25006), or something that a standby or the driver does not support (0A000). The caller erred, not the node;
 * without this HikariCP would close the connection after each 0A000.
 */
public final class RefusalsKeepConnections implements SQLExceptionOverride {

    @java.lang.Override
    public Override adjudicate(SQLException ex) {
        String state = ex.getSQLState();
        return "25006".equals(state) || "0A000".equals(state) ? Override.DO_NOT_EVICT : Override.CONTINUE_EVICT;
    }
}
