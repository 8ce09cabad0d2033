/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The physical connections of one logical connection: the one in use, and those put aside because statements on them are
 * still open or the driver's own connection was handed out.
 *
 * <p>Guarantees that one logical connection never holds two living connections of one node, and that each goes back to its pool
 * exactly once.
 *
 * <p>Confined to its logical connection. Owns what it holds, until {@link #close}.
 */
final class LeaseHolder implements UnitRouting.Exchange {

    private static final Logger logger = LoggerFactory.getLogger(LeaseHolder.class);

    private final UnitRouting routing;

    private final ConnectionSettings settings;

    private final List<Lease> parked = new ArrayList<>(0);

    private @Nullable Lease current;

    LeaseHolder(UnitRouting routing, ConnectionSettings settings) {
        this.routing = routing;
        this.settings = settings;
    }

    @Nullable
    Lease current() {
        return this.current;
    }

    /** The connection in use, if the logical connection has to stay on it. */
    @Nullable
    Lease pinned() {
        return this.current != null && this.current.isPinned() ? this.current : null;
    }

    @Override
    public Lease to(int node) throws SQLException {
        Lease held = this.current;
        if (held == null || held.node() != node || isDead(held)) {
            letGo();
            held = takeBack(node);
            if (held == null) {
                held = this.routing.connections().borrow(node);
            }
            this.current = held;
        }
        this.settings.applyTo(held);
        return held;
    }

    /** Whether a replica's connection was cut: the next unit is free to take another, unless something was set on it. */
    private static boolean isDead(Lease lease) {
        return !lease.isWriter() && !lease.isPinned() && lease.isBroken();
    }

    private @Nullable Lease takeBack(int node) {
        for (Iterator<Lease> leases = this.parked.iterator(); leases.hasNext(); ) {
            Lease lease = leases.next();
            if (lease.node() == node && !isDead(lease)) {
                leases.remove();
                return lease;
            }
        }
        return null;
    }

    /** Gives back the connection in use, or puts it aside while somebody may still use it. */
    void letGo() throws SQLException {
        Lease held = this.current;
        this.current = null;
        if (held != null) {
            if (held.hasOpenStatements() || held.isHandedOut()) {
                this.parked.add(held);
            } else {
                held.release();
            }
        }
    }

    /** Gives back a connection on which nothing is open and nothing may have been set. */
    void letIdleGo() {
        Lease held = this.current;
        if (held != null && !held.isPinned() && !held.isInTransaction()) {
            try {
                letGo();
            } catch (SQLException ex) {
                logger.debug("A connection of {} could not be given back", held.nodeName(), ex);
            }
        }
    }

    boolean holdsWriter() {
        return this.current != null && this.current.isWriter()
                || this.parked.stream().anyMatch(Lease::isWriter);
    }

    /** Whether a unit that fell back to the writer goes on, if only with a cursor. */
    boolean isFallback() {
        return this.current != null && this.current.isFallback()
                || this.parked.stream().anyMatch(Lease::isFallback);
    }

    void statementClosed(Lease lease) throws SQLException {
        lease.statementClosed();
        if (!lease.hasOpenStatements() && !lease.isHandedOut() && this.parked.remove(lease)) {
            lease.release();
        }
    }

    /** A connection to the writer that was handed out and may still be written through, if there is one. */
    @Nullable
    Lease handedOutWriter() {
        if (this.current != null && this.current.isWriter() && this.current.isHandedOut()) {
            return this.current;
        }
        for (Lease lease : this.parked) {
            if (lease.isWriter() && lease.isHandedOut()) {
                return lease;
            }
        }
        return null;
    }

    @Override
    public void evict(Lease lease) {
        if (lease == this.current) {
            this.current = null;
        }
        this.parked.remove(lease);
        lease.evict();
    }

    /** Throws everything away. Another thread may be using it, so nothing is waited for and nothing can go back. */
    void abort() {
        Lease held = this.current;
        this.current = null;
        if (held != null) {
            held.evict();
        }
        List.copyOf(this.parked).forEach(Lease::evict);
        this.parked.clear();
    }

    /** Gives everything back. What is open is rolled back. */
    void close() throws SQLException {
        Lease held = this.current;
        this.current = null;
        SQLException failure = held == null ? null : failureOfRelease(held);
        if (!this.parked.isEmpty()) {
            for (Lease lease : this.parked) {
                SQLException another = failureOfRelease(lease);
                failure = failure == null ? another : failure;
            }
            this.parked.clear();
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static @Nullable SQLException failureOfRelease(Lease lease) {
        try {
            lease.release();
            return null;
        } catch (SQLException ex) {
            return ex;
        }
    }
}
