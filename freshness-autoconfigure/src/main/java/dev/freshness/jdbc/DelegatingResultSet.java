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
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/**
 * A result set that passes every call on. Null rules are those of {@link ResultSet}.
 */
@NullUnmarked
abstract class DelegatingResultSet implements ResultSet {

    abstract ResultSet target() throws SQLException;

    @Override
    public boolean absolute(int row) throws SQLException {
        return target().absolute(row);
    }

    @Override
    public void afterLast() throws SQLException {
        target().afterLast();
    }

    @Override
    public void beforeFirst() throws SQLException {
        target().beforeFirst();
    }

    @Override
    public void cancelRowUpdates() throws SQLException {
        target().cancelRowUpdates();
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
    public void deleteRow() throws SQLException {
        target().deleteRow();
    }

    @Override
    public int findColumn(String columnLabel) throws SQLException {
        return target().findColumn(columnLabel);
    }

    @Override
    public boolean first() throws SQLException {
        return target().first();
    }

    @Override
    public Array getArray(String columnLabel) throws SQLException {
        return target().getArray(columnLabel);
    }

    @Override
    public Array getArray(int columnIndex) throws SQLException {
        return target().getArray(columnIndex);
    }

    @Override
    public InputStream getAsciiStream(String columnLabel) throws SQLException {
        return target().getAsciiStream(columnLabel);
    }

    @Override
    public InputStream getAsciiStream(int columnIndex) throws SQLException {
        return target().getAsciiStream(columnIndex);
    }

    @Override
    public BigDecimal getBigDecimal(String columnLabel) throws SQLException {
        return target().getBigDecimal(columnLabel);
    }

    @Override
    public BigDecimal getBigDecimal(int columnIndex) throws SQLException {
        return target().getBigDecimal(columnIndex);
    }

    @Override
    @SuppressWarnings("deprecation")
    public BigDecimal getBigDecimal(String columnLabel, int scale) throws SQLException {
        return target().getBigDecimal(columnLabel, scale);
    }

    @Override
    @SuppressWarnings("deprecation")
    public BigDecimal getBigDecimal(int columnIndex, int scale) throws SQLException {
        return target().getBigDecimal(columnIndex, scale);
    }

    @Override
    public InputStream getBinaryStream(String columnLabel) throws SQLException {
        return target().getBinaryStream(columnLabel);
    }

    @Override
    public InputStream getBinaryStream(int columnIndex) throws SQLException {
        return target().getBinaryStream(columnIndex);
    }

    @Override
    public Blob getBlob(String columnLabel) throws SQLException {
        return target().getBlob(columnLabel);
    }

    @Override
    public Blob getBlob(int columnIndex) throws SQLException {
        return target().getBlob(columnIndex);
    }

    @Override
    public boolean getBoolean(String columnLabel) throws SQLException {
        return target().getBoolean(columnLabel);
    }

    @Override
    public boolean getBoolean(int columnIndex) throws SQLException {
        return target().getBoolean(columnIndex);
    }

    @Override
    public byte getByte(String columnLabel) throws SQLException {
        return target().getByte(columnLabel);
    }

    @Override
    public byte getByte(int columnIndex) throws SQLException {
        return target().getByte(columnIndex);
    }

    @Override
    public byte[] getBytes(String columnLabel) throws SQLException {
        return target().getBytes(columnLabel);
    }

    @Override
    public byte[] getBytes(int columnIndex) throws SQLException {
        return target().getBytes(columnIndex);
    }

    @Override
    public Reader getCharacterStream(String columnLabel) throws SQLException {
        return target().getCharacterStream(columnLabel);
    }

    @Override
    public Reader getCharacterStream(int columnIndex) throws SQLException {
        return target().getCharacterStream(columnIndex);
    }

    @Override
    public Clob getClob(String columnLabel) throws SQLException {
        return target().getClob(columnLabel);
    }

    @Override
    public Clob getClob(int columnIndex) throws SQLException {
        return target().getClob(columnIndex);
    }

    @Override
    public int getConcurrency() throws SQLException {
        return target().getConcurrency();
    }

    @Override
    public String getCursorName() throws SQLException {
        return target().getCursorName();
    }

    @Override
    public Date getDate(String columnLabel) throws SQLException {
        return target().getDate(columnLabel);
    }

    @Override
    public Date getDate(int columnIndex) throws SQLException {
        return target().getDate(columnIndex);
    }

    @Override
    public Date getDate(String columnLabel, Calendar calendar) throws SQLException {
        return target().getDate(columnLabel, calendar);
    }

    @Override
    public Date getDate(int columnIndex, Calendar calendar) throws SQLException {
        return target().getDate(columnIndex, calendar);
    }

    @Override
    public double getDouble(String columnLabel) throws SQLException {
        return target().getDouble(columnLabel);
    }

    @Override
    public double getDouble(int columnIndex) throws SQLException {
        return target().getDouble(columnIndex);
    }

    @Override
    public int getFetchDirection() throws SQLException {
        return target().getFetchDirection();
    }

    @Override
    public int getFetchSize() throws SQLException {
        return target().getFetchSize();
    }

    @Override
    public float getFloat(String columnLabel) throws SQLException {
        return target().getFloat(columnLabel);
    }

    @Override
    public float getFloat(int columnIndex) throws SQLException {
        return target().getFloat(columnIndex);
    }

    @Override
    public int getHoldability() throws SQLException {
        return target().getHoldability();
    }

    @Override
    public int getInt(String columnLabel) throws SQLException {
        return target().getInt(columnLabel);
    }

    @Override
    public int getInt(int columnIndex) throws SQLException {
        return target().getInt(columnIndex);
    }

    @Override
    public long getLong(String columnLabel) throws SQLException {
        return target().getLong(columnLabel);
    }

    @Override
    public long getLong(int columnIndex) throws SQLException {
        return target().getLong(columnIndex);
    }

    @Override
    public ResultSetMetaData getMetaData() throws SQLException {
        return target().getMetaData();
    }

    @Override
    public Reader getNCharacterStream(String columnLabel) throws SQLException {
        return target().getNCharacterStream(columnLabel);
    }

    @Override
    public Reader getNCharacterStream(int columnIndex) throws SQLException {
        return target().getNCharacterStream(columnIndex);
    }

    @Override
    public NClob getNClob(String columnLabel) throws SQLException {
        return target().getNClob(columnLabel);
    }

    @Override
    public NClob getNClob(int columnIndex) throws SQLException {
        return target().getNClob(columnIndex);
    }

    @Override
    public String getNString(String columnLabel) throws SQLException {
        return target().getNString(columnLabel);
    }

    @Override
    public String getNString(int columnIndex) throws SQLException {
        return target().getNString(columnIndex);
    }

    @Override
    public Object getObject(String columnLabel) throws SQLException {
        return target().getObject(columnLabel);
    }

    @Override
    public Object getObject(int columnIndex) throws SQLException {
        return target().getObject(columnIndex);
    }

    @Override
    public <T> T getObject(String columnLabel, Class<T> type) throws SQLException {
        return target().getObject(columnLabel, type);
    }

    @Override
    public Object getObject(String columnLabel, Map<String, Class<?>> map) throws SQLException {
        return target().getObject(columnLabel, map);
    }

    @Override
    public <T> T getObject(int columnIndex, Class<T> type) throws SQLException {
        return target().getObject(columnIndex, type);
    }

    @Override
    public Object getObject(int columnIndex, Map<String, Class<?>> map) throws SQLException {
        return target().getObject(columnIndex, map);
    }

    @Override
    public Ref getRef(String columnLabel) throws SQLException {
        return target().getRef(columnLabel);
    }

    @Override
    public Ref getRef(int columnIndex) throws SQLException {
        return target().getRef(columnIndex);
    }

    @Override
    public int getRow() throws SQLException {
        return target().getRow();
    }

    @Override
    public RowId getRowId(String columnLabel) throws SQLException {
        return target().getRowId(columnLabel);
    }

    @Override
    public RowId getRowId(int columnIndex) throws SQLException {
        return target().getRowId(columnIndex);
    }

    @Override
    public SQLXML getSQLXML(String columnLabel) throws SQLException {
        return target().getSQLXML(columnLabel);
    }

    @Override
    public SQLXML getSQLXML(int columnIndex) throws SQLException {
        return target().getSQLXML(columnIndex);
    }

    @Override
    public short getShort(String columnLabel) throws SQLException {
        return target().getShort(columnLabel);
    }

    @Override
    public short getShort(int columnIndex) throws SQLException {
        return target().getShort(columnIndex);
    }

    @Override
    public String getString(String columnLabel) throws SQLException {
        return target().getString(columnLabel);
    }

    @Override
    public String getString(int columnIndex) throws SQLException {
        return target().getString(columnIndex);
    }

    @Override
    public Time getTime(String columnLabel) throws SQLException {
        return target().getTime(columnLabel);
    }

    @Override
    public Time getTime(int columnIndex) throws SQLException {
        return target().getTime(columnIndex);
    }

    @Override
    public Time getTime(String columnLabel, Calendar calendar) throws SQLException {
        return target().getTime(columnLabel, calendar);
    }

    @Override
    public Time getTime(int columnIndex, Calendar calendar) throws SQLException {
        return target().getTime(columnIndex, calendar);
    }

    @Override
    public Timestamp getTimestamp(String columnLabel) throws SQLException {
        return target().getTimestamp(columnLabel);
    }

    @Override
    public Timestamp getTimestamp(int columnIndex) throws SQLException {
        return target().getTimestamp(columnIndex);
    }

    @Override
    public Timestamp getTimestamp(String columnLabel, Calendar calendar) throws SQLException {
        return target().getTimestamp(columnLabel, calendar);
    }

    @Override
    public Timestamp getTimestamp(int columnIndex, Calendar calendar) throws SQLException {
        return target().getTimestamp(columnIndex, calendar);
    }

    @Override
    public int getType() throws SQLException {
        return target().getType();
    }

    @Override
    public URL getURL(String columnLabel) throws SQLException {
        return target().getURL(columnLabel);
    }

    @Override
    public URL getURL(int columnIndex) throws SQLException {
        return target().getURL(columnIndex);
    }

    @Override
    @SuppressWarnings("deprecation")
    public InputStream getUnicodeStream(String columnLabel) throws SQLException {
        return target().getUnicodeStream(columnLabel);
    }

    @Override
    @SuppressWarnings("deprecation")
    public InputStream getUnicodeStream(int columnIndex) throws SQLException {
        return target().getUnicodeStream(columnIndex);
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return target().getWarnings();
    }

    @Override
    public void insertRow() throws SQLException {
        target().insertRow();
    }

    @Override
    public boolean isAfterLast() throws SQLException {
        return target().isAfterLast();
    }

    @Override
    public boolean isBeforeFirst() throws SQLException {
        return target().isBeforeFirst();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return target().isClosed();
    }

    @Override
    public boolean isFirst() throws SQLException {
        return target().isFirst();
    }

    @Override
    public boolean isLast() throws SQLException {
        return target().isLast();
    }

    @Override
    public boolean last() throws SQLException {
        return target().last();
    }

    @Override
    public void moveToCurrentRow() throws SQLException {
        target().moveToCurrentRow();
    }

    @Override
    public void moveToInsertRow() throws SQLException {
        target().moveToInsertRow();
    }

    @Override
    public boolean next() throws SQLException {
        return target().next();
    }

    @Override
    public boolean previous() throws SQLException {
        return target().previous();
    }

    @Override
    public void refreshRow() throws SQLException {
        target().refreshRow();
    }

    @Override
    public boolean relative(int rows) throws SQLException {
        return target().relative(rows);
    }

    @Override
    public boolean rowDeleted() throws SQLException {
        return target().rowDeleted();
    }

    @Override
    public boolean rowInserted() throws SQLException {
        return target().rowInserted();
    }

    @Override
    public boolean rowUpdated() throws SQLException {
        return target().rowUpdated();
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        target().setFetchDirection(direction);
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        target().setFetchSize(rows);
    }

    @Override
    public void updateArray(String columnLabel, Array value) throws SQLException {
        target().updateArray(columnLabel, value);
    }

    @Override
    public void updateArray(int columnIndex, Array value) throws SQLException {
        target().updateArray(columnIndex, value);
    }

    @Override
    public void updateAsciiStream(String columnLabel, InputStream value) throws SQLException {
        target().updateAsciiStream(columnLabel, value);
    }

    @Override
    public void updateAsciiStream(int columnIndex, InputStream value) throws SQLException {
        target().updateAsciiStream(columnIndex, value);
    }

    @Override
    public void updateAsciiStream(String columnLabel, InputStream value, int length) throws SQLException {
        target().updateAsciiStream(columnLabel, value, length);
    }

    @Override
    public void updateAsciiStream(String columnLabel, InputStream value, long length) throws SQLException {
        target().updateAsciiStream(columnLabel, value, length);
    }

    @Override
    public void updateAsciiStream(int columnIndex, InputStream value, int length) throws SQLException {
        target().updateAsciiStream(columnIndex, value, length);
    }

    @Override
    public void updateAsciiStream(int columnIndex, InputStream value, long length) throws SQLException {
        target().updateAsciiStream(columnIndex, value, length);
    }

    @Override
    public void updateBigDecimal(String columnLabel, BigDecimal value) throws SQLException {
        target().updateBigDecimal(columnLabel, value);
    }

    @Override
    public void updateBigDecimal(int columnIndex, BigDecimal value) throws SQLException {
        target().updateBigDecimal(columnIndex, value);
    }

    @Override
    public void updateBinaryStream(String columnLabel, InputStream value) throws SQLException {
        target().updateBinaryStream(columnLabel, value);
    }

    @Override
    public void updateBinaryStream(int columnIndex, InputStream value) throws SQLException {
        target().updateBinaryStream(columnIndex, value);
    }

    @Override
    public void updateBinaryStream(String columnLabel, InputStream value, int length) throws SQLException {
        target().updateBinaryStream(columnLabel, value, length);
    }

    @Override
    public void updateBinaryStream(String columnLabel, InputStream value, long length) throws SQLException {
        target().updateBinaryStream(columnLabel, value, length);
    }

    @Override
    public void updateBinaryStream(int columnIndex, InputStream value, int length) throws SQLException {
        target().updateBinaryStream(columnIndex, value, length);
    }

    @Override
    public void updateBinaryStream(int columnIndex, InputStream value, long length) throws SQLException {
        target().updateBinaryStream(columnIndex, value, length);
    }

    @Override
    public void updateBlob(String columnLabel, InputStream value) throws SQLException {
        target().updateBlob(columnLabel, value);
    }

    @Override
    public void updateBlob(String columnLabel, Blob value) throws SQLException {
        target().updateBlob(columnLabel, value);
    }

    @Override
    public void updateBlob(int columnIndex, InputStream value) throws SQLException {
        target().updateBlob(columnIndex, value);
    }

    @Override
    public void updateBlob(int columnIndex, Blob value) throws SQLException {
        target().updateBlob(columnIndex, value);
    }

    @Override
    public void updateBlob(String columnLabel, InputStream value, long length) throws SQLException {
        target().updateBlob(columnLabel, value, length);
    }

    @Override
    public void updateBlob(int columnIndex, InputStream value, long length) throws SQLException {
        target().updateBlob(columnIndex, value, length);
    }

    @Override
    public void updateBoolean(String columnLabel, boolean value) throws SQLException {
        target().updateBoolean(columnLabel, value);
    }

    @Override
    public void updateBoolean(int columnIndex, boolean value) throws SQLException {
        target().updateBoolean(columnIndex, value);
    }

    @Override
    public void updateByte(String columnLabel, byte value) throws SQLException {
        target().updateByte(columnLabel, value);
    }

    @Override
    public void updateByte(int columnIndex, byte value) throws SQLException {
        target().updateByte(columnIndex, value);
    }

    @Override
    public void updateBytes(String columnLabel, byte[] value) throws SQLException {
        target().updateBytes(columnLabel, value);
    }

    @Override
    public void updateBytes(int columnIndex, byte[] value) throws SQLException {
        target().updateBytes(columnIndex, value);
    }

    @Override
    public void updateCharacterStream(String columnLabel, Reader value) throws SQLException {
        target().updateCharacterStream(columnLabel, value);
    }

    @Override
    public void updateCharacterStream(int columnIndex, Reader value) throws SQLException {
        target().updateCharacterStream(columnIndex, value);
    }

    @Override
    public void updateCharacterStream(String columnLabel, Reader value, int length) throws SQLException {
        target().updateCharacterStream(columnLabel, value, length);
    }

    @Override
    public void updateCharacterStream(String columnLabel, Reader value, long length) throws SQLException {
        target().updateCharacterStream(columnLabel, value, length);
    }

    @Override
    public void updateCharacterStream(int columnIndex, Reader value, int length) throws SQLException {
        target().updateCharacterStream(columnIndex, value, length);
    }

    @Override
    public void updateCharacterStream(int columnIndex, Reader value, long length) throws SQLException {
        target().updateCharacterStream(columnIndex, value, length);
    }

    @Override
    public void updateClob(String columnLabel, Reader value) throws SQLException {
        target().updateClob(columnLabel, value);
    }

    @Override
    public void updateClob(String columnLabel, Clob value) throws SQLException {
        target().updateClob(columnLabel, value);
    }

    @Override
    public void updateClob(int columnIndex, Reader value) throws SQLException {
        target().updateClob(columnIndex, value);
    }

    @Override
    public void updateClob(int columnIndex, Clob value) throws SQLException {
        target().updateClob(columnIndex, value);
    }

    @Override
    public void updateClob(String columnLabel, Reader value, long length) throws SQLException {
        target().updateClob(columnLabel, value, length);
    }

    @Override
    public void updateClob(int columnIndex, Reader value, long length) throws SQLException {
        target().updateClob(columnIndex, value, length);
    }

    @Override
    public void updateDate(String columnLabel, Date value) throws SQLException {
        target().updateDate(columnLabel, value);
    }

    @Override
    public void updateDate(int columnIndex, Date value) throws SQLException {
        target().updateDate(columnIndex, value);
    }

    @Override
    public void updateDouble(String columnLabel, double value) throws SQLException {
        target().updateDouble(columnLabel, value);
    }

    @Override
    public void updateDouble(int columnIndex, double value) throws SQLException {
        target().updateDouble(columnIndex, value);
    }

    @Override
    public void updateFloat(String columnLabel, float value) throws SQLException {
        target().updateFloat(columnLabel, value);
    }

    @Override
    public void updateFloat(int columnIndex, float value) throws SQLException {
        target().updateFloat(columnIndex, value);
    }

    @Override
    public void updateInt(String columnLabel, int value) throws SQLException {
        target().updateInt(columnLabel, value);
    }

    @Override
    public void updateInt(int columnIndex, int value) throws SQLException {
        target().updateInt(columnIndex, value);
    }

    @Override
    public void updateLong(String columnLabel, long value) throws SQLException {
        target().updateLong(columnLabel, value);
    }

    @Override
    public void updateLong(int columnIndex, long value) throws SQLException {
        target().updateLong(columnIndex, value);
    }

    @Override
    public void updateNCharacterStream(String columnLabel, Reader value) throws SQLException {
        target().updateNCharacterStream(columnLabel, value);
    }

    @Override
    public void updateNCharacterStream(int columnIndex, Reader value) throws SQLException {
        target().updateNCharacterStream(columnIndex, value);
    }

    @Override
    public void updateNCharacterStream(String columnLabel, Reader value, long length) throws SQLException {
        target().updateNCharacterStream(columnLabel, value, length);
    }

    @Override
    public void updateNCharacterStream(int columnIndex, Reader value, long length) throws SQLException {
        target().updateNCharacterStream(columnIndex, value, length);
    }

    @Override
    public void updateNClob(String columnLabel, Reader value) throws SQLException {
        target().updateNClob(columnLabel, value);
    }

    @Override
    public void updateNClob(String columnLabel, NClob value) throws SQLException {
        target().updateNClob(columnLabel, value);
    }

    @Override
    public void updateNClob(int columnIndex, Reader value) throws SQLException {
        target().updateNClob(columnIndex, value);
    }

    @Override
    public void updateNClob(int columnIndex, NClob value) throws SQLException {
        target().updateNClob(columnIndex, value);
    }

    @Override
    public void updateNClob(String columnLabel, Reader value, long length) throws SQLException {
        target().updateNClob(columnLabel, value, length);
    }

    @Override
    public void updateNClob(int columnIndex, Reader value, long length) throws SQLException {
        target().updateNClob(columnIndex, value, length);
    }

    @Override
    public void updateNString(String columnLabel, String value) throws SQLException {
        target().updateNString(columnLabel, value);
    }

    @Override
    public void updateNString(int columnIndex, String value) throws SQLException {
        target().updateNString(columnIndex, value);
    }

    @Override
    public void updateNull(String columnLabel) throws SQLException {
        target().updateNull(columnLabel);
    }

    @Override
    public void updateNull(int columnIndex) throws SQLException {
        target().updateNull(columnIndex);
    }

    @Override
    public void updateObject(String columnLabel, Object value) throws SQLException {
        target().updateObject(columnLabel, value);
    }

    @Override
    public void updateObject(int columnIndex, Object value) throws SQLException {
        target().updateObject(columnIndex, value);
    }

    @Override
    public void updateObject(String columnLabel, Object value, int scaleOrLength) throws SQLException {
        target().updateObject(columnLabel, value, scaleOrLength);
    }

    @Override
    public void updateObject(String columnLabel, Object value, SQLType targetSqlType) throws SQLException {
        target().updateObject(columnLabel, value, targetSqlType);
    }

    @Override
    public void updateObject(int columnIndex, Object value, int scaleOrLength) throws SQLException {
        target().updateObject(columnIndex, value, scaleOrLength);
    }

    @Override
    public void updateObject(int columnIndex, Object value, SQLType targetSqlType) throws SQLException {
        target().updateObject(columnIndex, value, targetSqlType);
    }

    @Override
    public void updateObject(String columnLabel, Object value, SQLType targetSqlType, int scaleOrLength)
            throws SQLException {
        target().updateObject(columnLabel, value, targetSqlType, scaleOrLength);
    }

    @Override
    public void updateObject(int columnIndex, Object value, SQLType targetSqlType, int scaleOrLength)
            throws SQLException {
        target().updateObject(columnIndex, value, targetSqlType, scaleOrLength);
    }

    @Override
    public void updateRef(String columnLabel, Ref value) throws SQLException {
        target().updateRef(columnLabel, value);
    }

    @Override
    public void updateRef(int columnIndex, Ref value) throws SQLException {
        target().updateRef(columnIndex, value);
    }

    @Override
    public void updateRow() throws SQLException {
        target().updateRow();
    }

    @Override
    public void updateRowId(String columnLabel, RowId value) throws SQLException {
        target().updateRowId(columnLabel, value);
    }

    @Override
    public void updateRowId(int columnIndex, RowId value) throws SQLException {
        target().updateRowId(columnIndex, value);
    }

    @Override
    public void updateSQLXML(String columnLabel, SQLXML value) throws SQLException {
        target().updateSQLXML(columnLabel, value);
    }

    @Override
    public void updateSQLXML(int columnIndex, SQLXML value) throws SQLException {
        target().updateSQLXML(columnIndex, value);
    }

    @Override
    public void updateShort(String columnLabel, short value) throws SQLException {
        target().updateShort(columnLabel, value);
    }

    @Override
    public void updateShort(int columnIndex, short value) throws SQLException {
        target().updateShort(columnIndex, value);
    }

    @Override
    public void updateString(String columnLabel, String value) throws SQLException {
        target().updateString(columnLabel, value);
    }

    @Override
    public void updateString(int columnIndex, String value) throws SQLException {
        target().updateString(columnIndex, value);
    }

    @Override
    public void updateTime(String columnLabel, Time value) throws SQLException {
        target().updateTime(columnLabel, value);
    }

    @Override
    public void updateTime(int columnIndex, Time value) throws SQLException {
        target().updateTime(columnIndex, value);
    }

    @Override
    public void updateTimestamp(String columnLabel, Timestamp value) throws SQLException {
        target().updateTimestamp(columnLabel, value);
    }

    @Override
    public void updateTimestamp(int columnIndex, Timestamp value) throws SQLException {
        target().updateTimestamp(columnIndex, value);
    }

    @Override
    public boolean wasNull() throws SQLException {
        return target().wasNull();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : target().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || target().isWrapperFor(type);
    }
}
