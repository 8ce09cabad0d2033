/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/**
 * An array whose rows answer with a statement of ours. The driver takes it for a parameter by its text, as it takes any
 * array that is not its own.
 */
@NullUnmarked
final class LogicalArray implements Array {

    private final Array target;

    private final LogicalStatement statement;

    private LogicalArray(Array target, LogicalStatement statement) {
        this.target = target;
        this.statement = statement;
    }

    static Array of(Array target, LogicalStatement statement) {
        return target == null ? null : new LogicalArray(target, statement);
    }

    @Override
    public String getBaseTypeName() throws SQLException {
        return this.target.getBaseTypeName();
    }

    @Override
    public int getBaseType() throws SQLException {
        return this.target.getBaseType();
    }

    @Override
    public Object getArray() throws SQLException {
        return this.target.getArray();
    }

    @Override
    public Object getArray(Map<String, Class<?>> map) throws SQLException {
        return this.target.getArray(map);
    }

    @Override
    public Object getArray(long index, int count) throws SQLException {
        return this.target.getArray(index, count);
    }

    @Override
    public Object getArray(long index, int count, Map<String, Class<?>> map) throws SQLException {
        return this.target.getArray(index, count, map);
    }

    @Override
    public ResultSet getResultSet() throws SQLException {
        return LogicalResultSet.of(this.target.getResultSet(), this.statement);
    }

    @Override
    public ResultSet getResultSet(Map<String, Class<?>> map) throws SQLException {
        return LogicalResultSet.of(this.target.getResultSet(map), this.statement);
    }

    @Override
    public ResultSet getResultSet(long index, int count) throws SQLException {
        return LogicalResultSet.of(this.target.getResultSet(index, count), this.statement);
    }

    @Override
    public ResultSet getResultSet(long index, int count, Map<String, Class<?>> map) throws SQLException {
        return LogicalResultSet.of(this.target.getResultSet(index, count, map), this.statement);
    }

    @Override
    public void free() throws SQLException {
        this.target.free();
    }

    @Override
    public String toString() {
        return this.target.toString();
    }
}
