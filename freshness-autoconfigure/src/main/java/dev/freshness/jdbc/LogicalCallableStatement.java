/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/** A callable statement of a {@link LogicalConnection}. */
@NullUnmarked
final class LogicalCallableStatement extends DelegatingCallableStatement {

    private final CallableStatement target;

    LogicalCallableStatement(
            Connection connection, ConnectionRoute route, Lease lease, CallableStatement target, String sql) {
        super(connection, route, lease, target, sql);
        this.target = target;
    }

    @Override
    CallableStatement target() throws SQLException {
        return this.target;
    }

    @Override
    public Object getObject(int parameter) throws SQLException {
        return LogicalResultSet.value(this.target.getObject(parameter), this);
    }

    @Override
    public Object getObject(String parameter) throws SQLException {
        return LogicalResultSet.value(this.target.getObject(parameter), this);
    }

    @Override
    public Array getArray(int parameter) throws SQLException {
        return LogicalArray.of(this.target.getArray(parameter), this);
    }

    @Override
    public Array getArray(String parameter) throws SQLException {
        return LogicalArray.of(this.target.getArray(parameter), this);
    }
}
