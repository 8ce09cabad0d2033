/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.NullUnmarked;

/**
 * A statement of a {@link LogicalConnection}. It belongs to the physical connection it was made on, and executes only
 * while that is the connection of the current unit.
 */
@NullUnmarked
class LogicalStatement extends DelegatingStatement {

    private final Connection connection;

    private final ConnectionRoute route;

    private final Lease lease;

    private final Statement target;

    private boolean closed;

    private boolean timeout;

    private boolean closesWithRows;

    /** What the statements put aside for a batch amount to. */
    private StatementKind batch = StatementKind.PLAIN_READ;

    LogicalStatement(Connection connection, ConnectionRoute route, Lease lease, Statement target) {
        this.connection = connection;
        this.route = route;
        this.lease = lease;
        this.target = target;
        lease.statementOpened();
    }

    @Override
    Statement target() throws SQLException {
        return this.target;
    }

    /** Every execution goes through here: it may begin a unit, and it may be refused. */
    final void before() throws SQLException {
        this.route.beforeExecute(this.lease);
        if (this.timeout) {
            this.lease.cancelArmed();
        }
    }

    /** What a failed statement did is as unknown as what a successful one did. */
    final void after(String sql) {
        this.route.afterExecute(this.lease, sql);
    }

    /**
     * The failure itself, with a word on the route where that explains it.
     *
     * @throws dev.freshness.ReplicaConflictException in its place, if a replica cancelled the work to go on with replay
     */
    final SQLException explained(SQLException failure) {
        this.route.failed(this.lease, failure);
        return failure;
    }

    /** The first row of a result was delivered. */
    final void delivered() throws SQLException {
        this.route.delivered(this.target);
    }

    /** Executes what is none of the statement's own texts, on its connection and by its rules. */
    final void run(Execution execution, StatementKind kind) throws SQLException {
        before();
        try {
            execution.run();
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            this.route.afterExecute(this.lease, kind);
        }
    }

    /** Rows of this statement were closed, and the driver may have closed its statement with them. */
    final void rowsClosed() throws SQLException {
        if (this.closesWithRows && this.target.isClosed()) {
            close();
        }
    }

    @Override
    public void closeOnCompletion() throws SQLException {
        target().closeOnCompletion();
        this.closesWithRows = true;
    }

    @Override
    public void addBatch(String sql) throws SQLException {
        target().addBatch(sql);
        this.batch = this.batch.and(StatementKind.of(sql));
    }

    @Override
    public void clearBatch() throws SQLException {
        target().clearBatch();
        this.batch = StatementKind.PLAIN_READ;
    }

    @Override
    public ResultSet getResultSet() throws SQLException {
        return LogicalResultSet.of(target().getResultSet(), this);
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        return LogicalResultSet.of(target().getGeneratedKeys(), this);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return this.connection;
    }

    @Override
    public void setQueryTimeout(int seconds) throws SQLException {
        this.timeout = seconds > 0;
        target().setQueryTimeout(seconds);
    }

    @Override
    public void cancel() throws SQLException {
        this.lease.cancelArmed();
        target().cancel();
    }

    @Override
    public void close() throws SQLException {
        if (this.closed) {
            return;
        }
        this.closed = true;
        try {
            target().close();
        } finally {
            this.route.statementClosed(this.lease);
        }
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : target().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || target().isWrapperFor(type);
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        before();
        try {
            return LogicalResultSet.of(target().executeQuery(sql), this);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        before();
        try {
            return target().execute(sql);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public boolean execute(String sql, int autoGeneratedKeys) throws SQLException {
        before();
        try {
            return target().execute(sql, autoGeneratedKeys);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public boolean execute(String sql, int[] columnIndexes) throws SQLException {
        before();
        try {
            return target().execute(sql, columnIndexes);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public boolean execute(String sql, String[] columnNames) throws SQLException {
        before();
        try {
            return target().execute(sql, columnNames);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public int executeUpdate(String sql) throws SQLException {
        before();
        try {
            return target().executeUpdate(sql);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public int executeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
        before();
        try {
            return target().executeUpdate(sql, autoGeneratedKeys);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public int executeUpdate(String sql, int[] columnIndexes) throws SQLException {
        before();
        try {
            return target().executeUpdate(sql, columnIndexes);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public int executeUpdate(String sql, String[] columnNames) throws SQLException {
        before();
        try {
            return target().executeUpdate(sql, columnNames);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        before();
        try {
            return target().executeLargeUpdate(sql);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public long executeLargeUpdate(String sql, int autoGeneratedKeys) throws SQLException {
        before();
        try {
            return target().executeLargeUpdate(sql, autoGeneratedKeys);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public long executeLargeUpdate(String sql, int[] columnIndexes) throws SQLException {
        before();
        try {
            return target().executeLargeUpdate(sql, columnIndexes);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
        }
    }

    @Override
    public long executeLargeUpdate(String sql, String[] columnNames) throws SQLException {
        before();
        try {
            return target().executeLargeUpdate(sql, columnNames);
        } catch (SQLException ex) {
            throw explained(ex);
        } finally {
            after(sql);
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
            this.route.afterExecute(this.lease, this.batch);
            this.batch = StatementKind.PLAIN_READ;
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
            this.route.afterExecute(this.lease, this.batch);
            this.batch = StatementKind.PLAIN_READ;
        }
    }

    /** Something that sends a statement. */
    @FunctionalInterface
    interface Execution {

        void run() throws SQLException;
    }
}
