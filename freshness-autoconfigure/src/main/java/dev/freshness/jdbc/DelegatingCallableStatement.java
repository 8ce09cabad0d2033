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
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/**
 * A callable statement that passes every call on. Null rules are those of {@link CallableStatement}.
 */
@NullUnmarked
abstract class DelegatingCallableStatement extends LogicalPreparedStatement implements CallableStatement {

    DelegatingCallableStatement(
            Connection connection, ConnectionRoute route, Lease lease, CallableStatement target, String sql) {
        super(connection, route, lease, target, sql);
    }

    @Override
    abstract CallableStatement target() throws SQLException;

    @Override
    public Array getArray(String parameterName) throws SQLException {
        return target().getArray(parameterName);
    }

    @Override
    public Array getArray(int parameterIndex) throws SQLException {
        return target().getArray(parameterIndex);
    }

    @Override
    public BigDecimal getBigDecimal(String parameterName) throws SQLException {
        return target().getBigDecimal(parameterName);
    }

    @Override
    public BigDecimal getBigDecimal(int parameterIndex) throws SQLException {
        return target().getBigDecimal(parameterIndex);
    }

    @Override
    @SuppressWarnings("deprecation")
    public BigDecimal getBigDecimal(int parameterIndex, int scale) throws SQLException {
        return target().getBigDecimal(parameterIndex, scale);
    }

    @Override
    public Blob getBlob(String parameterName) throws SQLException {
        return target().getBlob(parameterName);
    }

    @Override
    public Blob getBlob(int parameterIndex) throws SQLException {
        return target().getBlob(parameterIndex);
    }

    @Override
    public boolean getBoolean(String parameterName) throws SQLException {
        return target().getBoolean(parameterName);
    }

    @Override
    public boolean getBoolean(int parameterIndex) throws SQLException {
        return target().getBoolean(parameterIndex);
    }

    @Override
    public byte getByte(String parameterName) throws SQLException {
        return target().getByte(parameterName);
    }

    @Override
    public byte getByte(int parameterIndex) throws SQLException {
        return target().getByte(parameterIndex);
    }

    @Override
    public byte[] getBytes(String parameterName) throws SQLException {
        return target().getBytes(parameterName);
    }

    @Override
    public byte[] getBytes(int parameterIndex) throws SQLException {
        return target().getBytes(parameterIndex);
    }

    @Override
    public Reader getCharacterStream(String parameterName) throws SQLException {
        return target().getCharacterStream(parameterName);
    }

    @Override
    public Reader getCharacterStream(int parameterIndex) throws SQLException {
        return target().getCharacterStream(parameterIndex);
    }

    @Override
    public Clob getClob(String parameterName) throws SQLException {
        return target().getClob(parameterName);
    }

    @Override
    public Clob getClob(int parameterIndex) throws SQLException {
        return target().getClob(parameterIndex);
    }

    @Override
    public Date getDate(String parameterName) throws SQLException {
        return target().getDate(parameterName);
    }

    @Override
    public Date getDate(int parameterIndex) throws SQLException {
        return target().getDate(parameterIndex);
    }

    @Override
    public Date getDate(String parameterName, Calendar calendar) throws SQLException {
        return target().getDate(parameterName, calendar);
    }

    @Override
    public Date getDate(int parameterIndex, Calendar calendar) throws SQLException {
        return target().getDate(parameterIndex, calendar);
    }

    @Override
    public double getDouble(String parameterName) throws SQLException {
        return target().getDouble(parameterName);
    }

    @Override
    public double getDouble(int parameterIndex) throws SQLException {
        return target().getDouble(parameterIndex);
    }

    @Override
    public float getFloat(String parameterName) throws SQLException {
        return target().getFloat(parameterName);
    }

    @Override
    public float getFloat(int parameterIndex) throws SQLException {
        return target().getFloat(parameterIndex);
    }

    @Override
    public int getInt(String parameterName) throws SQLException {
        return target().getInt(parameterName);
    }

    @Override
    public int getInt(int parameterIndex) throws SQLException {
        return target().getInt(parameterIndex);
    }

    @Override
    public long getLong(String parameterName) throws SQLException {
        return target().getLong(parameterName);
    }

    @Override
    public long getLong(int parameterIndex) throws SQLException {
        return target().getLong(parameterIndex);
    }

    @Override
    public Reader getNCharacterStream(String parameterName) throws SQLException {
        return target().getNCharacterStream(parameterName);
    }

    @Override
    public Reader getNCharacterStream(int parameterIndex) throws SQLException {
        return target().getNCharacterStream(parameterIndex);
    }

    @Override
    public NClob getNClob(String parameterName) throws SQLException {
        return target().getNClob(parameterName);
    }

    @Override
    public NClob getNClob(int parameterIndex) throws SQLException {
        return target().getNClob(parameterIndex);
    }

    @Override
    public String getNString(String parameterName) throws SQLException {
        return target().getNString(parameterName);
    }

    @Override
    public String getNString(int parameterIndex) throws SQLException {
        return target().getNString(parameterIndex);
    }

    @Override
    public Object getObject(String parameterName) throws SQLException {
        return target().getObject(parameterName);
    }

    @Override
    public Object getObject(int parameterIndex) throws SQLException {
        return target().getObject(parameterIndex);
    }

    @Override
    public <T> T getObject(String parameterName, Class<T> type) throws SQLException {
        return target().getObject(parameterName, type);
    }

    @Override
    public Object getObject(String parameterName, Map<String, Class<?>> map) throws SQLException {
        return target().getObject(parameterName, map);
    }

    @Override
    public <T> T getObject(int parameterIndex, Class<T> type) throws SQLException {
        return target().getObject(parameterIndex, type);
    }

    @Override
    public Object getObject(int parameterIndex, Map<String, Class<?>> map) throws SQLException {
        return target().getObject(parameterIndex, map);
    }

    @Override
    public Ref getRef(String parameterName) throws SQLException {
        return target().getRef(parameterName);
    }

    @Override
    public Ref getRef(int parameterIndex) throws SQLException {
        return target().getRef(parameterIndex);
    }

    @Override
    public RowId getRowId(String parameterName) throws SQLException {
        return target().getRowId(parameterName);
    }

    @Override
    public RowId getRowId(int parameterIndex) throws SQLException {
        return target().getRowId(parameterIndex);
    }

    @Override
    public SQLXML getSQLXML(String parameterName) throws SQLException {
        return target().getSQLXML(parameterName);
    }

    @Override
    public SQLXML getSQLXML(int parameterIndex) throws SQLException {
        return target().getSQLXML(parameterIndex);
    }

    @Override
    public short getShort(String parameterName) throws SQLException {
        return target().getShort(parameterName);
    }

    @Override
    public short getShort(int parameterIndex) throws SQLException {
        return target().getShort(parameterIndex);
    }

    @Override
    public String getString(String parameterName) throws SQLException {
        return target().getString(parameterName);
    }

    @Override
    public String getString(int parameterIndex) throws SQLException {
        return target().getString(parameterIndex);
    }

    @Override
    public Time getTime(String parameterName) throws SQLException {
        return target().getTime(parameterName);
    }

    @Override
    public Time getTime(int parameterIndex) throws SQLException {
        return target().getTime(parameterIndex);
    }

    @Override
    public Time getTime(String parameterName, Calendar calendar) throws SQLException {
        return target().getTime(parameterName, calendar);
    }

    @Override
    public Time getTime(int parameterIndex, Calendar calendar) throws SQLException {
        return target().getTime(parameterIndex, calendar);
    }

    @Override
    public Timestamp getTimestamp(String parameterName) throws SQLException {
        return target().getTimestamp(parameterName);
    }

    @Override
    public Timestamp getTimestamp(int parameterIndex) throws SQLException {
        return target().getTimestamp(parameterIndex);
    }

    @Override
    public Timestamp getTimestamp(String parameterName, Calendar calendar) throws SQLException {
        return target().getTimestamp(parameterName, calendar);
    }

    @Override
    public Timestamp getTimestamp(int parameterIndex, Calendar calendar) throws SQLException {
        return target().getTimestamp(parameterIndex, calendar);
    }

    @Override
    public URL getURL(String parameterName) throws SQLException {
        return target().getURL(parameterName);
    }

    @Override
    public URL getURL(int parameterIndex) throws SQLException {
        return target().getURL(parameterIndex);
    }

    @Override
    public void registerOutParameter(String parameterName, int sqlType) throws SQLException {
        target().registerOutParameter(parameterName, sqlType);
    }

    @Override
    public void registerOutParameter(String parameterName, SQLType targetSqlType) throws SQLException {
        target().registerOutParameter(parameterName, targetSqlType);
    }

    @Override
    public void registerOutParameter(int parameterIndex, int sqlType) throws SQLException {
        target().registerOutParameter(parameterIndex, sqlType);
    }

    @Override
    public void registerOutParameter(int parameterIndex, SQLType targetSqlType) throws SQLException {
        target().registerOutParameter(parameterIndex, targetSqlType);
    }

    @Override
    public void registerOutParameter(String parameterName, int sqlType, String typeName) throws SQLException {
        target().registerOutParameter(parameterName, sqlType, typeName);
    }

    @Override
    public void registerOutParameter(String parameterName, int sqlType, int scale) throws SQLException {
        target().registerOutParameter(parameterName, sqlType, scale);
    }

    @Override
    public void registerOutParameter(String parameterName, SQLType targetSqlType, String typeName) throws SQLException {
        target().registerOutParameter(parameterName, targetSqlType, typeName);
    }

    @Override
    public void registerOutParameter(String parameterName, SQLType targetSqlType, int scale) throws SQLException {
        target().registerOutParameter(parameterName, targetSqlType, scale);
    }

    @Override
    public void registerOutParameter(int parameterIndex, int sqlType, String typeName) throws SQLException {
        target().registerOutParameter(parameterIndex, sqlType, typeName);
    }

    @Override
    public void registerOutParameter(int parameterIndex, int sqlType, int scale) throws SQLException {
        target().registerOutParameter(parameterIndex, sqlType, scale);
    }

    @Override
    public void registerOutParameter(int parameterIndex, SQLType targetSqlType, String typeName) throws SQLException {
        target().registerOutParameter(parameterIndex, targetSqlType, typeName);
    }

    @Override
    public void registerOutParameter(int parameterIndex, SQLType targetSqlType, int scale) throws SQLException {
        target().registerOutParameter(parameterIndex, targetSqlType, scale);
    }

    @Override
    public void setAsciiStream(String parameterName, InputStream value) throws SQLException {
        target().setAsciiStream(parameterName, value);
    }

    @Override
    public void setAsciiStream(String parameterName, InputStream value, int length) throws SQLException {
        target().setAsciiStream(parameterName, value, length);
    }

    @Override
    public void setAsciiStream(String parameterName, InputStream value, long length) throws SQLException {
        target().setAsciiStream(parameterName, value, length);
    }

    @Override
    public void setBigDecimal(String parameterName, BigDecimal value) throws SQLException {
        target().setBigDecimal(parameterName, value);
    }

    @Override
    public void setBinaryStream(String parameterName, InputStream value) throws SQLException {
        target().setBinaryStream(parameterName, value);
    }

    @Override
    public void setBinaryStream(String parameterName, InputStream value, int length) throws SQLException {
        target().setBinaryStream(parameterName, value, length);
    }

    @Override
    public void setBinaryStream(String parameterName, InputStream value, long length) throws SQLException {
        target().setBinaryStream(parameterName, value, length);
    }

    @Override
    public void setBlob(String parameterName, InputStream value) throws SQLException {
        target().setBlob(parameterName, value);
    }

    @Override
    public void setBlob(String parameterName, Blob value) throws SQLException {
        target().setBlob(parameterName, value);
    }

    @Override
    public void setBlob(String parameterName, InputStream value, long length) throws SQLException {
        target().setBlob(parameterName, value, length);
    }

    @Override
    public void setBoolean(String parameterName, boolean value) throws SQLException {
        target().setBoolean(parameterName, value);
    }

    @Override
    public void setByte(String parameterName, byte value) throws SQLException {
        target().setByte(parameterName, value);
    }

    @Override
    public void setBytes(String parameterName, byte[] value) throws SQLException {
        target().setBytes(parameterName, value);
    }

    @Override
    public void setCharacterStream(String parameterName, Reader value) throws SQLException {
        target().setCharacterStream(parameterName, value);
    }

    @Override
    public void setCharacterStream(String parameterName, Reader value, int length) throws SQLException {
        target().setCharacterStream(parameterName, value, length);
    }

    @Override
    public void setCharacterStream(String parameterName, Reader value, long length) throws SQLException {
        target().setCharacterStream(parameterName, value, length);
    }

    @Override
    public void setClob(String parameterName, Reader value) throws SQLException {
        target().setClob(parameterName, value);
    }

    @Override
    public void setClob(String parameterName, Clob value) throws SQLException {
        target().setClob(parameterName, value);
    }

    @Override
    public void setClob(String parameterName, Reader value, long length) throws SQLException {
        target().setClob(parameterName, value, length);
    }

    @Override
    public void setDate(String parameterName, Date value) throws SQLException {
        target().setDate(parameterName, value);
    }

    @Override
    public void setDate(String parameterName, Date value, Calendar calendar) throws SQLException {
        target().setDate(parameterName, value, calendar);
    }

    @Override
    public void setDouble(String parameterName, double value) throws SQLException {
        target().setDouble(parameterName, value);
    }

    @Override
    public void setFloat(String parameterName, float value) throws SQLException {
        target().setFloat(parameterName, value);
    }

    @Override
    public void setInt(String parameterName, int value) throws SQLException {
        target().setInt(parameterName, value);
    }

    @Override
    public void setLong(String parameterName, long value) throws SQLException {
        target().setLong(parameterName, value);
    }

    @Override
    public void setNCharacterStream(String parameterName, Reader value) throws SQLException {
        target().setNCharacterStream(parameterName, value);
    }

    @Override
    public void setNCharacterStream(String parameterName, Reader value, long length) throws SQLException {
        target().setNCharacterStream(parameterName, value, length);
    }

    @Override
    public void setNClob(String parameterName, Reader value) throws SQLException {
        target().setNClob(parameterName, value);
    }

    @Override
    public void setNClob(String parameterName, NClob value) throws SQLException {
        target().setNClob(parameterName, value);
    }

    @Override
    public void setNClob(String parameterName, Reader value, long length) throws SQLException {
        target().setNClob(parameterName, value, length);
    }

    @Override
    public void setNString(String parameterName, String value) throws SQLException {
        target().setNString(parameterName, value);
    }

    @Override
    public void setNull(String parameterName, int targetSqlType) throws SQLException {
        target().setNull(parameterName, targetSqlType);
    }

    @Override
    public void setNull(String parameterName, int targetSqlType, String typeName) throws SQLException {
        target().setNull(parameterName, targetSqlType, typeName);
    }

    @Override
    public void setObject(String parameterName, Object value) throws SQLException {
        target().setObject(parameterName, value);
    }

    @Override
    public void setObject(String parameterName, Object value, int targetSqlType) throws SQLException {
        target().setObject(parameterName, value, targetSqlType);
    }

    @Override
    public void setObject(String parameterName, Object value, SQLType targetSqlType) throws SQLException {
        target().setObject(parameterName, value, targetSqlType);
    }

    @Override
    public void setObject(String parameterName, Object value, int targetSqlType, int scaleOrLength)
            throws SQLException {
        target().setObject(parameterName, value, targetSqlType, scaleOrLength);
    }

    @Override
    public void setObject(String parameterName, Object value, SQLType targetSqlType, int scaleOrLength)
            throws SQLException {
        target().setObject(parameterName, value, targetSqlType, scaleOrLength);
    }

    @Override
    public void setRowId(String parameterName, RowId value) throws SQLException {
        target().setRowId(parameterName, value);
    }

    @Override
    public void setSQLXML(String parameterName, SQLXML value) throws SQLException {
        target().setSQLXML(parameterName, value);
    }

    @Override
    public void setShort(String parameterName, short value) throws SQLException {
        target().setShort(parameterName, value);
    }

    @Override
    public void setString(String parameterName, String value) throws SQLException {
        target().setString(parameterName, value);
    }

    @Override
    public void setTime(String parameterName, Time value) throws SQLException {
        target().setTime(parameterName, value);
    }

    @Override
    public void setTime(String parameterName, Time value, Calendar calendar) throws SQLException {
        target().setTime(parameterName, value, calendar);
    }

    @Override
    public void setTimestamp(String parameterName, Timestamp value) throws SQLException {
        target().setTimestamp(parameterName, value);
    }

    @Override
    public void setTimestamp(String parameterName, Timestamp value, Calendar calendar) throws SQLException {
        target().setTimestamp(parameterName, value, calendar);
    }

    @Override
    public void setURL(String parameterName, URL value) throws SQLException {
        target().setURL(parameterName, value);
    }

    @Override
    public boolean wasNull() throws SQLException {
        return target().wasNull();
    }
}
