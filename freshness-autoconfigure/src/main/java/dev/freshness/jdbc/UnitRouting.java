/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.WriterUnavailableException;
import dev.freshness.monitor.DatabaseWatch;
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

    /** One for the writer's sample that gives a floor its position, one for a replica to reach it. */
    private static final int MOST_WAITS = 2;

    private final String database;

    private final NodePool writer;

    private final List<NodePool> replicas;

    private final DatabaseWatch watch;

    private final RoutingListener listener;

    private final FreshnessRouter router = new FreshnessRouter();

    private final CatchUp catchUp;

    private final ConnectionProfiles profiles = new ConnectionProfiles();

    private final KeptConnections kept;

    private volatile @Nullable Integer defaultIsolation;

    UnitRouting(
            String database, NodePool writer, List<NodePool> replicas, DatabaseWatch watch, RoutingListener listener) {
        this.database = database;
        this.writer = writer;
        this.replicas = List.copyOf(replicas);
        this.watch = watch;
        this.listener = listener;
        this.catchUp = new CatchUp(database, watch, this.router, listener);
        this.kept = new KeptConnections(this, listener);
    }

    String database() {
        return this.database;
    }

    boolean hasReplicas() {
        return !this.replicas.isEmpty();
    }

    /** Units on connections that may not be exchanged. */
    KeptConnections kept() {
        return this.kept;
    }

    FreshnessRouter router() {
        return this.router;
    }

    DatabaseState state() {
        return this.watch.state();
    }

    /** The session's floor, resolved as far as the newest sample of the writer allows. */
    Floor floor(FreshnessSession session, DatabaseState now, long nanos) {
        return session.floor(this.database, now.livePrimary(nanos));
    }

    /** The isolation of the writer's transactions unless told otherwise, as the newest connection had it; null if unknown. */
    @Nullable
    Integer defaultIsolation() {
        return this.defaultIsolation;
    }

    /** Whether a unit that was decided some time ago may still begin where it was sent. */
    boolean isStillMet(Unit unit, FreshnessScope scope) {
        FreshnessContract contract = unit.contract();
        DatabaseState now = state();
        long nanos = System.nanoTime();
        ReplicaState replica = now.replicas().get(unit.lease().node());
        return contract != null
                && this.router.unmet(contract, floor(scope.session(), now, nanos), now, replica, nanos) == null;
    }

    /**
     * A unit that runs on the writer whatever the replicas could do.
     *
     * @param exchange where to get connections from
     * @param contract the contract in force, null for unmarked work
     * @param session the session in force, if any
     * @param reason why a contract does not leave the writer; null if the unit is none of a contract and not counted
     */
    Unit onWriter(
            Exchange exchange,
            @Nullable FreshnessContract contract,
            @Nullable FreshnessSession session,
            @Nullable Reason reason)
            throws SQLException {
        if (hasReplicas() && state().isWriterInRecovery(System.nanoTime())) {
            throw writerInRecovery(contract);
        }
        Lease lease = exchange.to(Lease.WRITER);
        if (hasReplicas() && lease.driver() != null && ConnectionProfiles.isStandby(lease.driver())) {
            throw refuseStandby(exchange, lease, contract);
        }
        if (contract != null && reason != null) {
            this.listener.decided(this.database, contract.mode(), RoutingDecision.writer(reason));
        }
        return Unit.onWriter(lease, contract, session == null ? 0 : session.writes(this.database));
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
        long waitBudget = contract.waitBudget().toNanos();
        boolean waited = false;
        // Each turn but the last leaves a replica out or follows a wait, of which there are at most two.
        for (int turn = 0; turn <= this.replicas.size() + MOST_WAITS + 1; turn++) {
            DatabaseState now = state();
            long nanos = System.nanoTime();
            Floor floor = floor(session, now, nanos);
            int preferred = sticky == null ? FreshnessScope.NO_REPLICA : sticky.stickyReplica(this.database);
            RoutingDecision decision = this.router.decide(contract, floor, now, nanos, preferred, excluded);
            if (!decision.isReplica()) {
                if (turn < MOST_WAITS
                        && this.catchUp.await(contract, session, decision, waitBudget, exchange::letIdleWriterGo)) {
                    waitBudget -= System.nanoTime() - nanos;
                    waited = true;
                    continue;
                }
                return settle(exchange, contract, session, decision);
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
                this.listener.decided(this.database, contract.mode(), waited ? decision.afterWait() : decision);
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
        this.watch.probeSoon(replica);
        return null;
    }

    private static boolean leadsToObservedStandby(Lease lease, ReplicaState replica) {
        BaseConnection driver = lease.driver();
        ConnectionProfile profile = lease.profile();
        if (driver == null || profile == null || !(replica.observation() instanceof StandbyObservation observed)) {
            return false;
        }
        return ConnectionProfiles.isStandby(driver) && profile.identity().equals(observed.identity());
    }

    /** The borrow may have taken a while: what was true of the replica before it need not be true now. */
    private @Nullable Unit checkAgain(
            FreshnessContract contract, FreshnessSession session, RoutingDecision decision, Lease lease) {
        // Counted before the floor is looked at: a write of another thread in between must not pass for one that was.
        int writes = session.writes(this.database);
        DatabaseState now = state();
        long nanos = System.nanoTime();
        Floor floor = floor(session, now, nanos);
        ReplicaState replica = now.replicas().get(decision.replica());
        boolean stale = decision.outcome() == Outcome.STALE;
        boolean good = stale
                ? now.liveStandby(replica, nanos) != null
                : this.router.unmet(contract, floor, now, replica, nanos) == null;
        return good ? new Unit(lease, contract, writes, replica, !stale) : null;
    }

    private Unit settle(
            Exchange exchange, FreshnessContract contract, FreshnessSession session, RoutingDecision decision)
            throws SQLException {
        if (decision.outcome() == Outcome.REJECTED) {
            this.listener.decided(this.database, contract.mode(), decision);
            throw refusal(contract, decision.reason());
        }
        Lease lease = exchange.to(Lease.WRITER);
        if (!leadsToPrimary(lease)) {
            throw refuseStandby(exchange, lease, contract);
        }
        this.listener.decided(this.database, contract.mode(), decision);
        return Unit.onWriter(lease, contract, session.writes(this.database));
    }

    /**
     * Whether a connection leads to a primary: by the observation of the very server that it leads to, else by what the
     * server itself said on the connection. Without replicas nothing is observed, and only a plain "no" counts.
     */
    private boolean leadsToPrimary(Lease lease) {
        BaseConnection driver = lease.driver();
        if (driver == null || !hasReplicas()) {
            return driver == null || !ConnectionProfiles.isStandby(driver);
        }
        PrimaryObservation observed = state().livePrimary(System.nanoTime());
        boolean sameServer = observed != null
                && lease.profile() != null
                && lease.profile().identity().equals(observed.identity());
        return sameServer ? !ConnectionProfiles.isStandby(driver) : ConnectionProfiles.isPrimary(driver);
    }

    private RuntimeException refuseStandby(Exchange exchange, Lease lease, @Nullable FreshnessContract contract) {
        exchange.evict(lease);
        this.watch.probeSoon(Lease.WRITER);
        if (contract != null) {
            RoutingDecision rejected =
                    new RoutingDecision(Outcome.REJECTED, Reason.WRITER_IN_RECOVERY, RoutingDecision.NO_REPLICA);
            this.listener.decided(this.database, contract.mode(), rejected);
        }
        return writerInRecovery(contract);
    }

    private WriterUnavailableException writerInRecovery(@Nullable FreshnessContract contract) {
        return new WriterUnavailableException("The writer " + this.writer.name() + " of database " + this.database
                + " is in recovery" + (contract == null ? "" : ", so it cannot answer " + contract.declaredBy()));
    }

    private RuntimeException refusal(FreshnessContract contract, Reason reason) {
        if (reason == Reason.WRITER_IN_RECOVERY) {
            return writerInRecovery(contract);
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
            if (node == Lease.WRITER && profile != null) {
                this.defaultIsolation = profile.defaultIsolation();
            }
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

        /** Gives a connection to the writer back if nothing depends on it: nobody holds one while waiting. */
        void letIdleWriterGo();

        /** Throws away a connection that {@link #to} returned. */
        void evict(Lease lease);
    }
}
