/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A superuser's connection to one server, opened at first use and again after it was lost, with time limits: so that a
 * look at a frozen server is a failed look and not an endless one. Owned by one call, never kept.
 */
final class AdminSession implements AutoCloseable {

    private static final String DATABASE = "postgres";
    private static final String CONNECT_SECONDS = "5";
    private static final String READ_SECONDS = "40";

    private final String url;
    private final Properties properties = new Properties();

    private @Nullable Connection connection;

    AdminSession(int port, String username, String password) {
        this.url = url(port, DATABASE);
        properties.setProperty("user", username);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", CONNECT_SECONDS);
        properties.setProperty("socketTimeout", READ_SECONDS);
        properties.setProperty("ApplicationName", "freshness-test");
    }

    static String url(int port, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    /** The first column of the first row, or null if there is no row or it is null. */
    @Nullable
    String query(String sql, Object... parameters) throws SQLException {
        String[] row = row(1, sql, parameters);
        return row == null ? null : row[0];
    }

    /** The first row, or null if there is none. */
    String @Nullable [] row(int columns, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection().prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    return null;
                }
                String[] row = new String[columns];
                for (int i = 0; i < columns; i++) {
                    row[i] = result.getString(i + 1);
                }
                return row;
            }
        }
    }

    void execute(String sql) throws SQLException {
        try (PreparedStatement statement = connection().prepareStatement(sql)) {
            statement.execute();
        }
    }

    private Connection connection() throws SQLException {
        if (connection == null || connection.isClosed()) {
            connection = DriverManager.getConnection(url, properties);
        }
        return connection;
    }

    @Override
    public void close() throws SQLException {
        if (connection != null) {
            connection.close();
        }
    }
}
