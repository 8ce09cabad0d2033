/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.Lsn;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.CachedQuery;
import org.postgresql.core.Field;
import org.postgresql.core.Query;
import org.postgresql.core.QueryExecutor;
import org.postgresql.core.ResultCursor;
import org.postgresql.core.ResultHandlerBase;
import org.postgresql.core.TransactionState;
import org.postgresql.core.Tuple;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PreferQueryMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits, and learns the commit's position in the same round trip.
 *
 * <p>Three statements leave together: which transaction id was assigned and whether the transaction is asynchronous;
 * COMMIT; then the writer's insert and flush positions. The order matters. A position read before COMMIT lies below the
 * commit record. After it, the flush position covers the commit record and can be reached by standbys, unless
 * {@code synchronous_commit} was {@code off}: then only the insert position covers it. An asynchronous commit, and only
 * that, needs the insert position, because another session's open transaction can keep it out of a standby's reach.
 *
 * <p>Guarantees to report exactly what {@code Connection.commit()} would. JDBC hides which of several statements failed,
 * so the driver's executor is asked with a handler that notes the command tag: COMMIT means committed, whatever follows;
 * ROLLBACK means that the transaction had failed before; no tag and an error of the server means refused; no tag and a
 * broken connection means in doubt.
 *
 * <p>What it does when it cannot know: where the combined form is not safe (another driver, a server that does not let
 * everyone call the functions, a cancel that may still arrive) it commits plainly and the result is
 * {@link CommitResult.Unknown}.
 *
 * <p>Stateless and thread-safe.
 *
 * @see <a href="https://www.postgresql.org/docs/current/wal-async-commit.html">PostgreSQL: asynchronous commit</a>
 */
final class CommitCapture {

    private static final Logger logger = LoggerFactory.getLogger(CommitCapture.class);

    private static final String SQL = "SELECT pg_catalog.pg_current_xact_id_if_assigned()::pg_catalog.text,"
            + " pg_catalog.current_setting('synchronous_commit');"
            + "COMMIT;"
            + "SELECT pg_catalog.pg_current_wal_flush_lsn()::pg_catalog.text,"
            + " pg_catalog.pg_current_wal_insert_lsn()::pg_catalog.text";

    /**
     * One-shot: a statement prepared on the server could be gone by now, and what precedes COMMIT must not be able to fail.
     */
    private static final int FLAGS =
            QueryExecutor.QUERY_SUPPRESS_BEGIN | QueryExecutor.QUERY_NO_BINARY_TRANSFER | QueryExecutor.QUERY_ONESHOT;

    /**
     * Commits the transaction that is open on the writer.
     *
     * @param lease a connection to the writer, in manual commit
     * @return what is known of the commit
     * @throws SQLException exactly where and as {@code Connection.commit()} would
     */
    CommitResult commit(Lease lease) throws SQLException {
        BaseConnection driver = lease.driver();
        if (driver == null) {
            lease.physical().commit();
            return new CommitResult.Unknown(null, false);
        }
        if (driver.getTransactionState() != TransactionState.OPEN || driver.hintReadOnly()) {
            // Nothing begun, or failed and about to be rolled back, or not able to write.
            lease.physical().commit();
            return new CommitResult.NothingWritten();
        }
        ConnectionProfile profile = lease.profile();
        if (profile == null || !profile.capturable() || profile.timeline() == 0 || lease.isCancelArmed()) {
            lease.physical().commit();
            return new CommitResult.Unknown(profile == null ? null : profile.identity(), false);
        }
        return commitAndAsk(lease, driver, profile);
    }

    private static CommitResult commitAndAsk(Lease lease, BaseConnection driver, ConnectionProfile profile)
            throws SQLException {
        Handler handler = new Handler(driver);
        long askedAt = System.nanoTime();
        QueryExecutor executor = driver.getQueryExecutor();
        // Unsplit in simple mode, where every statement of its own would cost a round trip of its own.
        boolean simple = executor.getPreferQueryMode().compareTo(PreferQueryMode.EXTENDED) < 0;
        CachedQuery query = simple ? executor.createQuery(SQL, false, false) : executor.borrowQuery(SQL);
        try {
            executor.execute(
                    query.query, null, handler, 0, 0, simple ? FLAGS | QueryExecutor.QUERY_EXECUTE_AS_SIMPLE : FLAGS);
        } catch (SQLException ex) {
            letPoolSeeFailure(lease, driver);
            if (!handler.committed) {
                throw ex;
            }
            logger.debug("Committed, but the position could not be read", ex);
        } finally {
            if (!simple) {
                executor.releaseQuery(query);
            }
        }
        return handler.committed ? result(handler, askedAt, profile) : new CommitResult.NothingWritten();
    }

    private static CommitResult result(Handler handler, long askedAt, ConnectionProfile profile) {
        ServerIdentity writer = profile.identity();
        if (handler.rows.isEmpty()) {
            return new CommitResult.Unknown(writer, true);
        }
        if (text(handler.rows.get(0), 0) == null) {
            return new CommitResult.NothingWritten();
        }
        if (handler.rows.size() < 2) {
            return new CommitResult.Unknown(writer, true);
        }
        Tuple positions = handler.rows.get(1);
        boolean asynchronous = "off".equals(text(handler.rows.get(0), 1));
        try {
            Lsn lsn = asynchronous
                    ? profile.layout().normalise(Lsn.parse(text(positions, 1)))
                    : Lsn.parse(text(positions, 0));
            return new CommitResult.Captured(profile.position(lsn), askedAt, writer);
        } catch (IllegalArgumentException ex) {
            logger.debug("Committed, but the position could not be understood", ex);
            return new CommitResult.Unknown(writer, true);
        }
    }

    private static @Nullable String text(Tuple row, int column) {
        byte[] value = row.get(column);
        return value == null ? null : new String(value, StandardCharsets.US_ASCII);
    }

    /** The executor works below the pool, which would otherwise keep a connection that broke in its hands. */
    private static void letPoolSeeFailure(Lease lease, BaseConnection driver) throws SQLException {
        if (driver.isClosed()) {
            try {
                lease.physical().commit();
            } catch (SQLException expected) {
                logger.trace("The pool knows now that the connection is broken", expected);
            }
        }
    }

    private static final class Handler extends ResultHandlerBase {

        private final List<Tuple> rows = new ArrayList<>(2);

        private final BaseConnection driver;

        private boolean committed;

        Handler(BaseConnection driver) {
            this.driver = driver;
        }

        @Override
        public void handleResultRows(
                Query fromQuery, Field[] fields, List<Tuple> tuples, @Nullable ResultCursor cursor) {
            this.rows.addAll(tuples);
        }

        @Override
        public void handleCommandStatus(String status, long updateCount, long insertOID) {
            if (status.equals("COMMIT")) {
                this.committed = true;
            }
        }

        /** What a deferred trigger has to say belongs to the connection, as after a plain commit. */
        @Override
        public void handleWarning(SQLWarning warning) {
            if (this.driver instanceof PgConnection connection) {
                connection.addWarning(warning);
            }
        }
    }
}
