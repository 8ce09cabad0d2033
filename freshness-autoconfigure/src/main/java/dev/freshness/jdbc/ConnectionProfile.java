/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalLayout;
import dev.freshness.wal.WalPosition;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is true of a physical connection for as long as it lives: which server it leads to, and how that server counts.
 * Read once, when the connection is first used.
 *
 * @param identity the server
 * @param timeline the timeline it writes; 0 if it was in recovery
 * @param layout its WAL sizes
 * @param capturable whether everyone may call the functions that precede COMMIT in {@link CommitCapture}, so that not
 *     even {@code SET LOCAL ROLE} can make them fail
 * @param defaultIsolation the isolation of its transactions unless told otherwise, as in {@link Connection}
 */
record ConnectionProfile(
        ServerIdentity identity, int timeline, WalLayout layout, boolean capturable, int defaultIsolation) {

    private static final String SQL = """
            SELECT (SELECT system_identifier FROM pg_catalog.pg_control_system()),
                   (EXTRACT(EPOCH FROM pg_catalog.pg_postmaster_start_time()) * 1000000)::pg_catalog.int8,
                   CASE WHEN r.in_recovery THEN NULL ELSE pg_catalog.substr(
                       pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 1, 8) END,
                   pg_catalog.pg_size_bytes(pg_catalog.current_setting('wal_segment_size')),
                   pg_catalog.current_setting('wal_block_size')::pg_catalog.int4,
                   pg_catalog.has_function_privilege(
                       'public', 'pg_catalog.pg_current_xact_id_if_assigned()', 'EXECUTE')
                   AND pg_catalog.has_function_privilege(
                       'public', 'pg_catalog.current_setting(pg_catalog.text)', 'EXECUTE'),
                   pg_catalog.current_setting('default_transaction_isolation')
              FROM (SELECT pg_catalog.pg_is_in_recovery() AS in_recovery OFFSET 0) r
            """;

    /**
     * Asks the server.
     *
     * @param driver the driver's own connection, idle and in auto-commit mode: an answer such as 0A000 would cost a
     *     pooled one its place
     * @param patienceMillis how long to wait for an answer; the connection is dead after that. Zero for ever
     */
    static ConnectionProfile read(Connection driver, int patienceMillis) throws SQLException {
        int before = driver.getNetworkTimeout();
        driver.setNetworkTimeout(Runnable::run, patienceMillis);
        driver.setAutoCommit(false);
        try (Statement statement = driver.createStatement()) {
            // A role may default to SERIALIZABLE, in which standbys answer nothing.
            statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            return read(statement.executeQuery(SQL));
        } catch (IllegalArgumentException ex) {
            throw new SQLException("Answer not understood: " + ex.getMessage(), ex);
        } finally {
            driver.rollback();
            driver.setAutoCommit(true);
            driver.setNetworkTimeout(Runnable::run, before);
        }
    }

    private static ConnectionProfile read(ResultSet row) throws SQLException {
        try (row) {
            row.next();
            String timeline = row.getString(3);
            return new ConnectionProfile(
                    new ServerIdentity(row.getLong(1), row.getLong(2)),
                    timeline == null ? 0 : Integer.parseUnsignedInt(timeline, 16),
                    new WalLayout(row.getLong(4), row.getInt(5)),
                    row.getBoolean(6),
                    isolation(row.getString(7)));
        }
    }

    private static int isolation(@Nullable String name) {
        return switch (name == null ? "" : name.toLowerCase(Locale.ROOT)) {
            case "serializable" -> Connection.TRANSACTION_SERIALIZABLE;
            case "repeatable read" -> Connection.TRANSACTION_REPEATABLE_READ;
            case "read uncommitted" -> Connection.TRANSACTION_READ_UNCOMMITTED;
            default -> Connection.TRANSACTION_READ_COMMITTED;
        };
    }

    WalPosition position(Lsn lsn) {
        return new WalPosition(this.identity.systemIdentifier(), this.timeline, lsn);
    }
}
