/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.NullUnmarked;

/**
 * The rows of a statement of ours, or of metadata, which belong to no statement.
 *
 * <p>Guarantees that a change made through the rows is taken for what it is: a statement of its own, which runs only on
 * the connection of the current unit and raises the session's floor.
 */
@NullUnmarked
final class LogicalResultSet extends DelegatingResultSet {

    private final ResultSet target;

    private final LogicalStatement statement;

    private boolean delivered;

    private LogicalResultSet(ResultSet target, LogicalStatement statement) {
        this.target = target;
        this.statement = statement;
    }

    static ResultSet of(ResultSet target, LogicalStatement statement) {
        return target == null ? null : new LogicalResultSet(target, statement);
    }

    /** A value of a row or of a call. The driver answers a cursor's name with its rows. */
    static Object value(Object value, LogicalStatement statement) {
        return value instanceof ResultSet rows ? of(rows, statement) : value;
    }

    @Override
    ResultSet target() {
        return this.target;
    }

    @Override
    public Statement getStatement() throws SQLException {
        // Fails, as it should, once the rows are closed.
        this.target.getStatement();
        return this.statement;
    }

    @Override
    public void close() throws SQLException {
        this.target.close();
        if (this.statement != null) {
            this.statement.rowsClosed();
        }
    }

    @Override
    public Array getArray(int column) throws SQLException {
        return LogicalArray.of(this.target.getArray(column), this.statement);
    }

    @Override
    public Array getArray(String column) throws SQLException {
        return LogicalArray.of(this.target.getArray(column), this.statement);
    }

    @Override
    public Object getObject(int column) throws SQLException {
        return value(this.target.getObject(column), this.statement);
    }

    @Override
    public Object getObject(String column) throws SQLException {
        return value(this.target.getObject(column), this.statement);
    }

    /** With a fetch size, rows come from the server in portions. */
    @Override
    public boolean next() throws SQLException {
        try {
            boolean row = this.target.next();
            if (row && !this.delivered && this.statement != null) {
                this.delivered = true;
                this.statement.delivered();
            }
            return row;
        } catch (SQLException ex) {
            throw explained(ex);
        }
    }

    /** Looks whether there is a next portion. */
    @Override
    public boolean isLast() throws SQLException {
        try {
            return this.target.isLast();
        } catch (SQLException ex) {
            throw explained(ex);
        }
    }

    private SQLException explained(SQLException failure) {
        return this.statement == null ? failure : this.statement.explained(failure);
    }

    @Override
    public void insertRow() throws SQLException {
        run(this.target::insertRow, StatementKind.DATA_CHANGE);
    }

    @Override
    public void updateRow() throws SQLException {
        run(this.target::updateRow, StatementKind.DATA_CHANGE);
    }

    @Override
    public void deleteRow() throws SQLException {
        run(this.target::deleteRow, StatementKind.DATA_CHANGE);
    }

    @Override
    public void refreshRow() throws SQLException {
        run(this.target::refreshRow, StatementKind.PLAIN_READ);
    }

    private void run(LogicalStatement.Execution execution, StatementKind kind) throws SQLException {
        if (this.statement == null) {
            execution.run();
        } else {
            this.statement.run(execution, kind);
        }
    }
}
