/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.routing.WriterFallbackBudget;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Enumeration;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A borrowed physical connection and what was set on it.
 *
 * <p>Guarantees that it goes back to its pool idle, and with those settings restored that HikariCP does not reset itself:
 * schema, holdability and client information.
 *
 * <p>Confined to the logical connection that holds it.
 */
final class Lease {

    /** The index of the writer; replicas count from 0. */
    static final int WRITER = -1;

    private static final Logger logger = LoggerFactory.getLogger(Lease.class);

    private final int node;

    private final NodePool pool;

    private final Connection physical;

    private final @Nullable BaseConnection driver;

    private final @Nullable ConnectionProfile profile;

    private final NodeLoad.Use use;

    private boolean autoCommit;

    private boolean readOnly;

    private @Nullable Integer isolation;

    private @Nullable Integer originalHoldability;

    private @Nullable String schema;

    private @Nullable String originalSchema;

    private @Nullable Properties clientInfo;

    private @Nullable Properties originalClientInfo;

    private int openStatements;

    /** Set by whoever cancels, which may be another thread. */
    private volatile boolean cancellable;

    /** Set by whoever throws it away, which may be another thread. */
    private volatile boolean givenUp;

    private boolean handedOut;

    private boolean handedOutForGood;

    private boolean pinned;

    private WriterFallbackBudget.@Nullable Permit permit;

    Lease(
            int node,
            NodePool pool,
            Connection physical,
            @Nullable BaseConnection driver,
            @Nullable ConnectionProfile profile,
            NodeLoad.Use use)
            throws SQLException {
        this.node = node;
        this.pool = pool;
        this.physical = physical;
        this.driver = driver;
        this.profile = profile;
        this.use = use;
        this.autoCommit = physical.getAutoCommit();
        this.readOnly = physical.isReadOnly();
    }

    int node() {
        return this.node;
    }

    boolean isWriter() {
        return this.node == WRITER;
    }

    String nodeName() {
        return this.pool.name();
    }

    /** The connection as the pool handed it out. */
    Connection physical() {
        return this.physical;
    }

    /** The driver's own connection; null if it is not PostgreSQL's. */
    @Nullable
    BaseConnection driver() {
        return this.driver;
    }

    @Nullable
    ConnectionProfile profile() {
        return this.profile;
    }

    /** {@link System#nanoTime()} when the connection was asked for. */
    long askedAt() {
        return this.use.begunAt();
    }

    /** Whether the connection is closed below the pool, for example because the server went away. */
    boolean isBroken() {
        try {
            return this.driver != null && this.driver.isClosed();
        } catch (SQLException ex) {
            return true;
        }
    }

    /** Whether it was thrown away by us, so that a failure on it says nothing about its node. */
    boolean isGivenUp() {
        return this.givenUp;
    }

    /** Whether a transaction is open or has failed, by the driver's own account. */
    boolean isInTransaction() {
        return this.driver != null && this.driver.getTransactionState() != TransactionState.IDLE;
    }

    boolean hasOpenStatements() {
        return this.openStatements > 0;
    }

    void statementOpened() {
        this.openStatements++;
    }

    void statementClosed() {
        this.openStatements--;
    }

    /** Notes what allows the unit that begins now to be on the writer. */
    void spend(WriterFallbackBudget.Permit spent) {
        unitEnded();
        this.permit = spent;
    }

    /** Whether a unit that fell back to the writer has not ended. */
    boolean isFallback() {
        return this.permit != null;
    }

    /** Gives back what allowed the unit to be on the writer, if anything had to. */
    void unitEnded() {
        if (this.permit != null) {
            this.permit.release();
            this.permit = null;
        }
    }

    /** Notes that the driver's own connection was handed out: nobody can tell when its holder is done with it. */
    void handOut(boolean untilTransactionEnds) {
        this.handedOut = true;
        this.handedOutForGood |= !untilTransactionEnds;
    }

    boolean isHandedOut() {
        return this.handedOut;
    }

    /** Notes that something may have been set on the session: the logical connection stays here until it is closed. */
    void pin() {
        this.pinned = true;
    }

    boolean isPinned() {
        return this.pinned;
    }

    /** Notes that a cancel may still be on its way to the server in this transaction. */
    void cancelArmed() {
        this.cancellable = true;
    }

    boolean isCancelArmed() {
        return this.cancellable;
    }

    void transactionEnded() {
        this.cancellable = false;
        this.handedOut = this.handedOutForGood;
    }

    void autoCommit(boolean wanted) throws SQLException {
        if (this.autoCommit != wanted) {
            this.physical.setAutoCommit(wanted);
            this.autoCommit = wanted;
        }
    }

    void readOnly(boolean wanted) throws SQLException {
        if (this.readOnly != wanted) {
            this.physical.setReadOnly(wanted);
            this.readOnly = wanted;
        }
    }

    int isolation() throws SQLException {
        if (this.isolation == null) {
            this.isolation =
                    this.profile != null ? this.profile.defaultIsolation() : this.physical.getTransactionIsolation();
        }
        return this.isolation;
    }

    void isolation(int wanted) throws SQLException {
        if (isolation() != wanted) {
            this.physical.setTransactionIsolation(wanted);
            this.isolation = wanted;
        }
    }

    void holdability(int wanted) throws SQLException {
        if (this.originalHoldability == null) {
            this.originalHoldability = this.physical.getHoldability();
        }
        this.physical.setHoldability(wanted);
    }

    void schema(String wanted) throws SQLException {
        if (!wanted.equals(this.schema)) {
            if (this.originalSchema == null) {
                this.originalSchema = this.physical.getSchema();
            }
            this.physical.setSchema(wanted);
            this.schema = wanted;
        }
    }

    void clientInfo(Properties wanted) throws SQLException {
        if (!wanted.equals(this.clientInfo)) {
            Properties originals = this.originalClientInfo == null ? new Properties() : this.originalClientInfo;
            this.originalClientInfo = originals;
            Enumeration<?> names = wanted.propertyNames();
            while (names.hasMoreElements()) {
                String name = (String) names.nextElement();
                String original = this.physical.getClientInfo(name);
                originals.putIfAbsent(name, original == null ? "" : original);
                this.physical.setClientInfo(name, wanted.getProperty(name));
            }
            this.clientInfo = (Properties) wanted.clone();
        }
    }

    void networkTimeout(Executor executor, int milliseconds) throws SQLException {
        this.physical.setNetworkTimeout(executor, milliseconds);
    }

    /** Gives the connection back to its pool. Like the pool's own {@code close()}, rolls back what is still open. */
    void release() throws SQLException {
        try {
            giveBack();
        } finally {
            unitEnded();
            this.use.end();
        }
    }

    private void giveBack() throws SQLException {
        if (isBroken()) {
            // The pool need not have seen it: isValid() and the driver's own connection work below it.
            evict();
            return;
        }
        try {
            if (isInTransaction()) {
                // A textual BEGIN leaves a transaction of which the pool knows nothing.
                autoCommit(false);
                this.physical.rollback();
            }
            restore();
        } catch (SQLException ex) {
            logger.debug("A connection of {} could not be put in order and is given up", nodeName(), ex);
            evict();
            return;
        }
        this.physical.close();
    }

    private void restore() throws SQLException {
        if (this.originalHoldability != null) {
            this.physical.setHoldability(this.originalHoldability);
        }
        if (this.originalSchema != null || this.originalClientInfo != null) {
            // In manual commit what is put back would be rolled back again, and leave a transaction open until then.
            autoCommit(true);
        }
        if (this.originalSchema != null) {
            this.physical.setSchema(this.originalSchema);
        }
        if (this.originalClientInfo != null) {
            for (String name : this.originalClientInfo.stringPropertyNames()) {
                this.physical.setClientInfo(name, this.originalClientInfo.getProperty(name));
            }
        }
    }

    /** Throws the connection away. */
    void evict() {
        this.givenUp = true;
        this.pool.evict(this.physical);
        unitEnded();
        this.use.fail();
    }
}
