/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/** A prepared statement of a {@link LogicalConnection}. */
@NullUnmarked
class LogicalPreparedStatement extends DelegatingPreparedStatement {

    private final PreparedStatement target;

    private final String sql;

    LogicalPreparedStatement(
            Connection connection, ConnectionRoute route, Lease lease, PreparedStatement target, String sql) {
        super(connection, route, lease, target);
        this.target = target;
        this.sql = sql;
    }

    @Override
    PreparedStatement target() throws SQLException {
        return this.target;
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        try {
            return target().getMetaData();
        } catch (SQLException ex) {
            throw explained(ex);
        }
    }

    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        try {
            return target().getParameterMetaData();
        } catch (SQLException ex) {
            throw explained(ex);
        }
    }

    @Override
    public ResultSet executeQuery() throws SQLException {
        before();
        try {
            return LogicalResultSet.of(target().executeQuery(), this);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(this.sql);
        }
    }

    @Override
    public boolean execute() throws SQLException {
        before();
        try {
            return target().execute();
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(this.sql);
        }
    }

    @Override
    public int executeUpdate() throws SQLException {
        before();
        try {
            return target().executeUpdate();
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(this.sql);
        }
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        before();
        try {
            return target().executeLargeUpdate();
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(this.sql);
        }
    }

    @Override
    public int[] executeBatch() throws SQLException {
        before();
        try {
            return target().executeBatch();
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(this.sql);
        }
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        before();
        try {
            return target().executeLargeBatch();
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(this.sql);
        }
    }
}
