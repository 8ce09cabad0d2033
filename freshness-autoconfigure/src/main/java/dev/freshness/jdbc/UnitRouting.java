/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.WriterUnavailableException;
import dev.freshness.routing.FreshnessRouter;
import dev.freshness.routing.Outcome;
import dev.freshness.routing.Reason;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessScope;
import dev.freshness.session.FreshnessSession;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides where a unit runs and borrows the connection for it.
 *
 * <p>Guarantees that the decision is checked again on the newest state after the borrow, which may have taken a while,
 * and that the connection leads to the very server that was observed.
 *
 * <p>What it does when it cannot know: a replica that gives no connection, or one to another server, is left out and the
 * decision is made again; in the end the contract's policy says whether the writer answers or the read is refused.
 *
 * <p>Thread-safe. Owns nothing; the connections it borrows belong to the caller.
 */
final class UnitRouting {

    private static final Logger logger = LoggerFactory.getLogger(UnitRouting.class);

    private final String database;

    private final NodePool writer;

    private final List<NodePool> replicas;

    private final Supplier<DatabaseState> state;

    private final IntConsumer probeSoon;

    private final RoutingListener listener;

    private final FreshnessRouter router = new FreshnessRouter();

    private final ConnectionProfiles profiles = new ConnectionProfiles();

    UnitRouting(
            String database,
            NodePool writer,
            List<NodePool> replicas,
            Supplier<DatabaseState> state,
            IntConsumer probeSoon,
            RoutingListener listener) {
        this.database = database;
        this.writer = writer;
        this.replicas = List.copyOf(replicas);
        this.state = state;
        this.probeSoon = probeSoon;
        this.listener = listener;
    }

    String database() {
        return this.database;
    }

    boolean hasReplicas() {
        return !this.replicas.isEmpty();
    }

    FreshnessRouter router() {
        return this.router;
    }

    DatabaseState state() {
        return this.state.get();
    }

    /** The session's floor, resolved as far as the newest sample of the writer allows. */
    Floor floor(FreshnessSession session, DatabaseState now, long nanos) {
        return session.floor(this.database, now.livePrimary(nanos));
    }

    /** A unit that runs on the writer whatever was observed: unmarked work. */
    Unit unmarked(Exchange exchange, @Nullable FreshnessSession session) throws SQLException {
        Floor floor = session == null ? null : floor(session, state(), System.nanoTime());
        return new Unit(exchange.to(Lease.WRITER), null, floor, null);
    }

    /** A unit that runs on the writer for a reason of its own, though a contract is in force. */
    Unit onWriter(Exchange exchange, FreshnessContract contract, FreshnessSession session, Reason reason)
            throws SQLException {
        DatabaseState now = state();
        Floor floor = floor(session, now, System.nanoTime());
        Unit unit = new Unit(exchange.to(Lease.WRITER), contract, floor, null);
        this.listener.decided(this.database, contract.mode(), RoutingDecision.writer(reason));
        return unit;
    }

    /**
     * Routes a read unit.
     *
     * @param exchange where to get connections from
     * @param contract what the read asks for
     * @param session the session in force
     * @param sticky the scope on whose replica to stay, null to take any
     */
    Unit read(Exchange exchange, FreshnessContract contract, FreshnessSession session, @Nullable FreshnessScope sticky)
            throws SQLException {
        long excluded = 0;
        // Each turn but the last leaves a replica out or sees a newer state; the bound is for the latter.
        for (int turn = 0; turn <= this.replicas.size() + 1; turn++) {
            DatabaseState now = state();
            long nanos = System.nanoTime();
            Floor floor = floor(session, now, nanos);
            int preferred = sticky == null ? FreshnessScope.NO_REPLICA : sticky.stickyReplica(this.database);
            RoutingDecision decision = this.router.decide(contract, floor, now, nanos, preferred, excluded);
            if (!decision.isReplica()) {
                return settle(exchange, contract, floor, decision);
            }
            Lease lease = borrowReplica(exchange, decision.replica(), now);
            if (lease == null) {
                excluded |= 1L << decision.replica();
                continue;
            }
            Unit unit = checkAgain(contract, session, decision, lease);
            if (unit != null) {
                if (sticky != null) {
                    sticky.stickTo(this.database, decision.replica());
                }
                this.listener.decided(this.database, contract.mode(), decision);
                return unit;
            }
            excluded |= 1L << decision.replica();
        }
        throw new IllegalStateException("Every replica was left out, and yet none of the turns was the last");
    }

    private @Nullable Lease borrowReplica(Exchange exchange, int replica, DatabaseState observed) {
        NodePool pool = this.replicas.get(replica);
        try {
            Lease lease = exchange.to(replica);
            if (leadsToObservedStandby(lease, observed.replicas().get(replica))) {
                return lease;
            }
            logger.debug("A connection of {} does not lead to the standby that was observed", pool.name());
            exchange.evict(lease);
        } catch (SQLException ex) {
            logger.debug("No connection from {}", pool.name(), ex);
        }
        this.probeSoon.accept(replica);
        return null;
    }

    private static boolean leadsToObservedStandby(Lease lease, ReplicaState replica) throws SQLException {
        BaseConnection driver = lease.driver();
        ConnectionProfile profile = lease.profile();
        if (driver == null || profile == null || !(replica.observation() instanceof StandbyObservation observed)) {
            return false;
        }
        if (!lease.isInTransaction()) {
            // A server that ends says so on idle connections; listening costs no round trip.
            driver.getNotifications();
        }
        return ConnectionProfiles.isStandby(driver) && profile.identity().equals(observed.identity());
    }

    /** The borrow may have taken a while: what was true of the replica before it need not be true now. */
    private @Nullable Unit checkAgain(
            FreshnessContract contract, FreshnessSession session, RoutingDecision decision, Lease lease) {
        DatabaseState now = state();
        long nanos = System.nanoTime();
        Floor floor = floor(session, now, nanos);
        ReplicaState replica = now.replicas().get(decision.replica());
        boolean met = decision.outcome() == Outcome.STALE
                ? now.liveStandby(replica, nanos) != null
                : this.router.unmet(contract, floor, now, replica, nanos) == null;
        return met ? new Unit(lease, contract, floor, replica) : null;
    }

    private Unit settle(Exchange exchange, FreshnessContract contract, Floor floor, RoutingDecision decision)
            throws SQLException {
        if (decision.outcome() == Outcome.REJECTED) {
            this.listener.decided(this.database, contract.mode(), decision);
            throw refusal(contract, decision.reason());
        }
        Lease lease = exchange.to(Lease.WRITER);
        if (hasReplicas() && !leadsToPrimary(lease)) {
            exchange.evict(lease);
            this.probeSoon.accept(Lease.WRITER);
            RoutingDecision rejected =
                    new RoutingDecision(Outcome.REJECTED, Reason.WRITER_IN_RECOVERY, RoutingDecision.NO_REPLICA);
            this.listener.decided(this.database, contract.mode(), rejected);
            throw refusal(contract, Reason.WRITER_IN_RECOVERY);
        }
        this.listener.decided(this.database, contract.mode(), decision);
        return new Unit(lease, contract, floor, null);
    }

    private boolean leadsToPrimary(Lease lease) {
        BaseConnection driver = lease.driver();
        PrimaryObservation observed = state().livePrimary(System.nanoTime());
        if (driver == null) {
            return observed != null;
        }
        return observed == null ? ConnectionProfiles.isPrimary(driver) : !ConnectionProfiles.isStandby(driver);
    }

    private RuntimeException refusal(FreshnessContract contract, Reason reason) {
        if (reason == Reason.WRITER_IN_RECOVERY) {
            return new WriterUnavailableException("The writer " + this.writer.name() + " of database " + this.database
                    + " is in recovery, so it cannot answer " + contract.declaredBy());
        }
        return new StaleReadNotAllowedException("No replica of database " + this.database + " meets the contract "
                + contract.mode() + " of " + contract.declaredBy() + ": " + reason.tag()
                + (contract.mode() == FreshnessMode.EVENTUAL ? ", max staleness " + contract.maxStaleness() : ""));
    }

    /** Borrows from a node's pool; the first time a physical connection is seen, asks its server who it is. */
    Lease borrow(int node) throws SQLException {
        NodePool pool = node == Lease.WRITER ? this.writer : this.replicas.get(node);
        Connection physical = pool.dataSource().getConnection();
        try {
            BaseConnection driver =
                    physical.isWrapperFor(BaseConnection.class) ? physical.unwrap(BaseConnection.class) : null;
            ConnectionProfile profile = driver != null && hasReplicas() ? this.profiles.of(driver) : null;
            return new Lease(node, pool, physical, driver, profile);
        } catch (SQLException | RuntimeException ex) {
            pool.evict(physical);
            throw ex;
        }
    }

    /** The logical connection's side of a decision: it holds the connection that is to be kept, given back or replaced. */
    interface Exchange {

        /** A connection to a node, set up as the logical connection is: the one already held, or a borrowed one. */
        Lease to(int node) throws SQLException;

        /** Throws away a connection that {@link #to} returned. */
        void evict(Lease lease);
    }
}
