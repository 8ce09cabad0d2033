/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.NullUnmarked;

/**
 * A connection that passes every call on. Null rules are those of {@link Connection}.
 */
@NullUnmarked
abstract class DelegatingConnection implements Connection {

    abstract Connection target() throws SQLException;

    @Override
    public void abort(Executor executor) throws SQLException {
        target().abort(executor);
    }

    @Override
    public void beginRequest() throws SQLException {
        target().beginRequest();
    }

    @Override
    public void clearWarnings() throws SQLException {
        target().clearWarnings();
    }

    @Override
    public void close() throws SQLException {
        target().close();
    }

    @Override
    public void commit() throws SQLException {
        target().commit();
    }

    @Override
    public Array createArrayOf(String typeName, Object[] elements) throws SQLException {
        return target().createArrayOf(typeName, elements);
    }

    @Override
    public Blob createBlob() throws SQLException {
        return target().createBlob();
    }

    @Override
    public Clob createClob() throws SQLException {
        return target().createClob();
    }

    @Override
    public NClob createNClob() throws SQLException {
        return target().createNClob();
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        return target().createSQLXML();
    }

    @Override
    public Statement createStatement() throws SQLException {
        return target().createStatement();
    }

    @Override
    public Statement createStatement(int resultSetType, int resultSetConcurrency) throws SQLException {
        return target().createStatement(resultSetType, resultSetConcurrency);
    }

    @Override
    public Statement createStatement(int resultSetType, int resultSetConcurrency, int resultSetHoldability)
            throws SQLException {
        return target().createStatement(resultSetType, resultSetConcurrency, resultSetHoldability);
    }

    @Override
    public Struct createStruct(String typeName, Object[] elements) throws SQLException {
        return target().createStruct(typeName, elements);
    }

    @Override
    public void endRequest() throws SQLException {
        target().endRequest();
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        return target().getAutoCommit();
    }

    @Override
    public String getCatalog() throws SQLException {
        return target().getCatalog();
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        return target().getClientInfo();
    }

    @Override
    public String getClientInfo(String name) throws SQLException {
        return target().getClientInfo(name);
    }

    @Override
    public int getHoldability() throws SQLException {
        return target().getHoldability();
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        return target().getMetaData();
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        return target().getNetworkTimeout();
    }

    @Override
    public String getSchema() throws SQLException {
        return target().getSchema();
    }

    @Override
    public int getTransactionIsolation() throws SQLException {
        return target().getTransactionIsolation();
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        return target().getTypeMap();
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return target().getWarnings();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return target().isClosed();
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        return target().isReadOnly();
    }

    @Override
    public boolean isValid(int seconds) throws SQLException {
        return target().isValid(seconds);
    }

    @Override
    public String nativeSQL(String sql) throws SQLException {
        return target().nativeSQL(sql);
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return target().prepareCall(sql);
    }

    @Override
    public CallableStatement prepareCall(String sql, int resultSetType, int resultSetConcurrency) throws SQLException {
        return target().prepareCall(sql, resultSetType, resultSetConcurrency);
    }

    @Override
    public CallableStatement prepareCall(
            String sql, int resultSetType, int resultSetConcurrency, int resultSetHoldability) throws SQLException {
        return target().prepareCall(sql, resultSetType, resultSetConcurrency, resultSetHoldability);
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return target().prepareStatement(sql);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
        return target().prepareStatement(sql, columnIndexes);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
        return target().prepareStatement(sql, columnNames);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
        return target().prepareStatement(sql, autoGeneratedKeys);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int resultSetType, int resultSetConcurrency)
            throws SQLException {
        return target().prepareStatement(sql, resultSetType, resultSetConcurrency);
    }

    @Override
    public PreparedStatement prepareStatement(
            String sql, int resultSetType, int resultSetConcurrency, int resultSetHoldability) throws SQLException {
        return target().prepareStatement(sql, resultSetType, resultSetConcurrency, resultSetHoldability);
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        target().releaseSavepoint(savepoint);
    }

    @Override
    public void rollback() throws SQLException {
        target().rollback();
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        target().rollback(savepoint);
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        target().setAutoCommit(autoCommit);
    }

    @Override
    public void setCatalog(String catalog) throws SQLException {
        target().setCatalog(catalog);
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        target().setHoldability(holdability);
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        target().setNetworkTimeout(executor, milliseconds);
    }

    @Override
    public void setReadOnly(boolean readOnly) throws SQLException {
        target().setReadOnly(readOnly);
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return target().setSavepoint();
    }

    @Override
    public Savepoint setSavepoint(String value) throws SQLException {
        return target().setSavepoint(value);
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        target().setSchema(schema);
    }

    @Override
    public void setShardingKey(ShardingKey shardingKey) throws SQLException {
        target().setShardingKey(shardingKey);
    }

    @Override
    public void setShardingKey(ShardingKey shardingKey, ShardingKey superShardingKey) throws SQLException {
        target().setShardingKey(shardingKey, superShardingKey);
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey shardingKey, int value) throws SQLException {
        return target().setShardingKeyIfValid(shardingKey, value);
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey shardingKey, ShardingKey superShardingKey, int length)
            throws SQLException {
        return target().setShardingKeyIfValid(shardingKey, superShardingKey, length);
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        target().setTransactionIsolation(level);
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
        target().setTypeMap(map);
    }
}
