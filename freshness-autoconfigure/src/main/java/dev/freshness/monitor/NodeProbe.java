/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Probes one node on one connection of its own, which it opens when there is none and drops after any failure.
 *
 * <p>What it does when it cannot know: it says so with a {@link FailedObservation}; it never throws and never repeats an
 * earlier answer.
 *
 * <p>Probing is confined to one thread; {@link #close} may come from any.
 */
final class NodeProbe implements AutoCloseable {

    private final MonitoredNode node;

    private final Duration timeout;

    private volatile @Nullable Connection connection;

    private volatile boolean closed;

    private @Nullable PreparedStatement statement;

    NodeProbe(MonitoredNode node, Duration timeout) {
        this.node = node;
        this.timeout = timeout;
    }

    NodeObservation probe() {
        long sampledAt = System.nanoTime();
        try {
            PreparedStatement open = this.statement;
            if (open == null) {
                open = connect();
                // The connect is not part of the sample: what the answer vouches for begins when it is asked for.
                sampledAt = System.nanoTime();
            }
            try (ResultSet rows = open.executeQuery()) {
                rows.next();
                return ProbeRow.read(rows).toObservation(sampledAt);
            }
        } catch (SQLException ex) {
            disconnect();
            return new FailedObservation(sampledAt, ex.getSQLState(), describe(ex));
        } catch (RuntimeException ex) {
            // An answer of another form, or a fault of the driver: either way this probe brought nothing.
            disconnect();
            return new FailedObservation(sampledAt, null, "Answer not understood: " + ex.getMessage());
        }
    }

    private PreparedStatement connect() throws SQLException {
        Connection opened =
                DriverManager.getConnection(this.node.probeUrl(), this.node.connectionProperties(this.timeout));
        this.connection = opened;
        if (this.closed) {
            disconnect();
            throw new SQLException("The monitor is closed");
        }
        opened.setNetworkTimeout(Runnable::run, Math.toIntExact(Math.max(1, this.timeout.toMillis())));
        // A role may default to SERIALIZABLE, which standbys refuse for every statement.
        opened.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        PreparedStatement prepared = opened.prepareStatement(ProbeRow.SQL);
        this.statement = prepared;
        return prepared;
    }

    /** Drivers repeat the URL in some messages, and a URL may hold a password. */
    private String describe(SQLException ex) {
        String message = ex.getMessage();
        return message == null
                ? ex.getClass().getSimpleName()
                : message.replace(this.node.probeUrl(), "its URL")
                        .lines()
                        .findFirst()
                        .orElse("");
    }

    private void disconnect() {
        Connection open = this.connection;
        this.connection = null;
        this.statement = null;
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException ignored) {
                // It is being thrown away; there is nothing left to save.
            }
        }
    }

    /** Ends a probe that is waiting for an answer, too: its connection is cut. */
    @Override
    public void close() {
        this.closed = true;
        Connection open = this.connection;
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException ignored) {
                // As above.
            }
        }
    }
}
