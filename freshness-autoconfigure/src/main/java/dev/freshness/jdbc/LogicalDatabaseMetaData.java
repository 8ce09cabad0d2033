/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/**
 * The metadata of a {@link LogicalConnection}. Each question goes to the connection held when it is asked, so that an
 * object kept for later asks nobody else's.
 */
@NullUnmarked
final class LogicalDatabaseMetaData extends DelegatingDatabaseMetaData {

    private final LogicalConnection connection;

    LogicalDatabaseMetaData(LogicalConnection connection) {
        this.connection = connection;
    }

    @Override
    DatabaseMetaData target() throws SQLException {
        return this.connection.undecided().getMetaData();
    }

    @Override
    ResultSet child(ResultSet rows) {
        return LogicalResultSet.of(rows, null);
    }

    @Override
    public Connection getConnection() {
        return this.connection;
    }

    @Override
    public int getDriverMajorVersion() {
        try {
            return target().getDriverMajorVersion();
        } catch (SQLException ex) {
            throw new IllegalStateException("No connection tells the version of its driver", ex);
        }
    }

    @Override
    public int getDriverMinorVersion() {
        try {
            return target().getDriverMinorVersion();
        } catch (SQLException ex) {
            throw new IllegalStateException("No connection tells the version of its driver", ex);
        }
    }
}
