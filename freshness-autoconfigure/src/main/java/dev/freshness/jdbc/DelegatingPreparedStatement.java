/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import org.jspecify.annotations.NullUnmarked;

/**
 * A prepared statement that passes every call on. Null rules are those of {@link PreparedStatement}.
 */
@NullUnmarked
abstract class DelegatingPreparedStatement extends LogicalStatement implements PreparedStatement {

    DelegatingPreparedStatement(Connection connection, ConnectionRoute route, Lease lease, PreparedStatement target) {
        super(connection, route, lease, target);
    }

    @Override
    abstract PreparedStatement target() throws SQLException;

    @Override
    public void addBatch() throws SQLException {
        target().addBatch();
    }

    @Override
    public void clearParameters() throws SQLException {
        target().clearParameters();
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        return target().getMetaData();
    }

    @Override
    public ParameterMetaData getParameterMetaData() throws SQLException {
        return target().getParameterMetaData();
    }

    @Override
    public void setArray(int parameterIndex, Array value) throws SQLException {
        target().setArray(parameterIndex, value);
    }

    @Override
    public void setAsciiStream(int parameterIndex, InputStream value) throws SQLException {
        target().setAsciiStream(parameterIndex, value);
    }

    @Override
    public void setAsciiStream(int parameterIndex, InputStream value, int length) throws SQLException {
        target().setAsciiStream(parameterIndex, value, length);
    }

    @Override
    public void setAsciiStream(int parameterIndex, InputStream value, long length) throws SQLException {
        target().setAsciiStream(parameterIndex, value, length);
    }

    @Override
    public void setBigDecimal(int parameterIndex, BigDecimal value) throws SQLException {
        target().setBigDecimal(parameterIndex, value);
    }

    @Override
    public void setBinaryStream(int parameterIndex, InputStream value) throws SQLException {
        target().setBinaryStream(parameterIndex, value);
    }

    @Override
    public void setBinaryStream(int parameterIndex, InputStream value, int length) throws SQLException {
        target().setBinaryStream(parameterIndex, value, length);
    }

    @Override
    public void setBinaryStream(int parameterIndex, InputStream value, long length) throws SQLException {
        target().setBinaryStream(parameterIndex, value, length);
    }

    @Override
    public void setBlob(int parameterIndex, InputStream value) throws SQLException {
        target().setBlob(parameterIndex, value);
    }

    @Override
    public void setBlob(int parameterIndex, Blob value) throws SQLException {
        target().setBlob(parameterIndex, value);
    }

    @Override
    public void setBlob(int parameterIndex, InputStream value, long length) throws SQLException {
        target().setBlob(parameterIndex, value, length);
    }

    @Override
    public void setBoolean(int parameterIndex, boolean value) throws SQLException {
        target().setBoolean(parameterIndex, value);
    }

    @Override
    public void setByte(int parameterIndex, byte value) throws SQLException {
        target().setByte(parameterIndex, value);
    }

    @Override
    public void setBytes(int parameterIndex, byte[] value) throws SQLException {
        target().setBytes(parameterIndex, value);
    }

    @Override
    public void setCharacterStream(int parameterIndex, Reader value) throws SQLException {
        target().setCharacterStream(parameterIndex, value);
    }

    @Override
    public void setCharacterStream(int parameterIndex, Reader value, int length) throws SQLException {
        target().setCharacterStream(parameterIndex, value, length);
    }

    @Override
    public void setCharacterStream(int parameterIndex, Reader value, long length) throws SQLException {
        target().setCharacterStream(parameterIndex, value, length);
    }

    @Override
    public void setClob(int parameterIndex, Reader value) throws SQLException {
        target().setClob(parameterIndex, value);
    }

    @Override
    public void setClob(int parameterIndex, Clob value) throws SQLException {
        target().setClob(parameterIndex, value);
    }

    @Override
    public void setClob(int parameterIndex, Reader value, long length) throws SQLException {
        target().setClob(parameterIndex, value, length);
    }

    @Override
    public void setDate(int parameterIndex, Date value) throws SQLException {
        target().setDate(parameterIndex, value);
    }

    @Override
    public void setDate(int parameterIndex, Date value, Calendar calendar) throws SQLException {
        target().setDate(parameterIndex, value, calendar);
    }

    @Override
    public void setDouble(int parameterIndex, double value) throws SQLException {
        target().setDouble(parameterIndex, value);
    }

    @Override
    public void setFloat(int parameterIndex, float value) throws SQLException {
        target().setFloat(parameterIndex, value);
    }

    @Override
    public void setInt(int parameterIndex, int value) throws SQLException {
        target().setInt(parameterIndex, value);
    }

    @Override
    public void setLong(int parameterIndex, long value) throws SQLException {
        target().setLong(parameterIndex, value);
    }

    @Override
    public void setNCharacterStream(int parameterIndex, Reader value) throws SQLException {
        target().setNCharacterStream(parameterIndex, value);
    }

    @Override
    public void setNCharacterStream(int parameterIndex, Reader value, long length) throws SQLException {
        target().setNCharacterStream(parameterIndex, value, length);
    }

    @Override
    public void setNClob(int parameterIndex, Reader value) throws SQLException {
        target().setNClob(parameterIndex, value);
    }

    @Override
    public void setNClob(int parameterIndex, NClob value) throws SQLException {
        target().setNClob(parameterIndex, value);
    }

    @Override
    public void setNClob(int parameterIndex, Reader value, long length) throws SQLException {
        target().setNClob(parameterIndex, value, length);
    }

    @Override
    public void setNString(int parameterIndex, String value) throws SQLException {
        target().setNString(parameterIndex, value);
    }

    @Override
    public void setNull(int parameterIndex, int targetSqlType) throws SQLException {
        target().setNull(parameterIndex, targetSqlType);
    }

    @Override
    public void setNull(int parameterIndex, int targetSqlType, String typeName) throws SQLException {
        target().setNull(parameterIndex, targetSqlType, typeName);
    }

    @Override
    public void setObject(int parameterIndex, Object value) throws SQLException {
        target().setObject(parameterIndex, value);
    }

    @Override
    public void setObject(int parameterIndex, Object value, int targetSqlType) throws SQLException {
        target().setObject(parameterIndex, value, targetSqlType);
    }

    @Override
    public void setObject(int parameterIndex, Object value, SQLType targetSqlType) throws SQLException {
        target().setObject(parameterIndex, value, targetSqlType);
    }

    @Override
    public void setObject(int parameterIndex, Object value, int targetSqlType, int scaleOrLength) throws SQLException {
        target().setObject(parameterIndex, value, targetSqlType, scaleOrLength);
    }

    @Override
    public void setObject(int parameterIndex, Object value, SQLType targetSqlType, int scaleOrLength)
            throws SQLException {
        target().setObject(parameterIndex, value, targetSqlType, scaleOrLength);
    }

    @Override
    public void setRef(int parameterIndex, Ref value) throws SQLException {
        target().setRef(parameterIndex, value);
    }

    @Override
    public void setRowId(int parameterIndex, RowId value) throws SQLException {
        target().setRowId(parameterIndex, value);
    }

    @Override
    public void setSQLXML(int parameterIndex, SQLXML value) throws SQLException {
        target().setSQLXML(parameterIndex, value);
    }

    @Override
    public void setShort(int parameterIndex, short value) throws SQLException {
        target().setShort(parameterIndex, value);
    }

    @Override
    public void setString(int parameterIndex, String value) throws SQLException {
        target().setString(parameterIndex, value);
    }

    @Override
    public void setTime(int parameterIndex, Time value) throws SQLException {
        target().setTime(parameterIndex, value);
    }

    @Override
    public void setTime(int parameterIndex, Time value, Calendar calendar) throws SQLException {
        target().setTime(parameterIndex, value, calendar);
    }

    @Override
    public void setTimestamp(int parameterIndex, Timestamp value) throws SQLException {
        target().setTimestamp(parameterIndex, value);
    }

    @Override
    public void setTimestamp(int parameterIndex, Timestamp value, Calendar calendar) throws SQLException {
        target().setTimestamp(parameterIndex, value, calendar);
    }

    @Override
    public void setURL(int parameterIndex, URL value) throws SQLException {
        target().setURL(parameterIndex, value);
    }

    @Override
    @SuppressWarnings("deprecation")
    public void setUnicodeStream(int parameterIndex, InputStream value, int length) throws SQLException {
        target().setUnicodeStream(parameterIndex, value, length);
    }
}
