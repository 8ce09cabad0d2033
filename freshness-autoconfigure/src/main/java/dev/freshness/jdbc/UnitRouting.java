/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.WriterFallbackExhaustedException;
import dev.freshness.WriterUnavailableException;
import dev.freshness.monitor.DatabaseWatch;
import dev.freshness.routing.FreshnessRouter;
import dev.freshness.routing.Outcome;
import dev.freshness.routing.Reason;
import dev.freshness.routing.ReplicaOutages;
import dev.freshness.routing.Rollout;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import dev.freshness.routing.RoutingSettings;
import dev.freshness.routing.TakenOutReplicas;
import dev.freshness.routing.WriterFallbackBudget;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ReadAttempt;
import dev.freshness.session.ReadFloor;
import dev.freshness.session.ThreadScope;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

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

    /** One for the writer's sample that gives a floor its position, one for a replica to reach it. */
    static final int MOST_WAITS = 2;

    private final String database;

    private final String writer;

    private final int replicas;

    private final DatabaseWatch watch;

    private final RoutingListener listener;

    private final DecisionLog log;

    private final FreshnessRouter router;

    private final PoolLoads loads;

    private final CatchUp catchUp;

    private final KeptConnections kept;

    private final NodeConnections connections;

    private final ReplicaOutages outages = new ReplicaOutages();

    private final TakenOutReplicas takenOut = new TakenOutReplicas();

    private final WriterFallbackBudget fallbacks;

    private final ThreadConnections threads = new ThreadConnections();

    private final Rollout rollout;

    private final ObservedReads observed;

    UnitRouting(
            String database,
            NodePool writer,
            List<NodePool> replicas,
            DatabaseWatch watch,
            RoutingSettings settings,
            WriterFallbackBudget fallbacks,
            Rollout rollout,
            RoutingListener listener) {
        this.database = database;
        this.writer = writer.name();
        this.replicas = replicas.size();
        this.connections = new NodeConnections(database, writer, replicas, watch, this.outages);
        this.listener = listener;
        this.fallbacks = fallbacks;
        this.watch = watch;
        this.loads = new PoolLoads(replicas);
        this.router = new FreshnessRouter(settings, this.loads);
        this.catchUp = new CatchUp(database, watch, this.router, listener, this::required);
        this.log = new DecisionLog(this, writer.name(), listener);
        this.kept = new KeptConnections(this, this.log);
        this.rollout = rollout;
        this.observed = new ObservedReads(this, this.catchUp, this.log, new WriterFallbackBudget(settings.fallback()));
    }

    String database() {
        return this.database;
    }

    boolean hasReplicas() {
        return this.replicas > 0;
    }

    /** Whether a session's contracts decide where its reads run, and not only what is counted. */
    boolean isEnforcedFor(@Nullable FreshnessSession session) {
        return !hasReplicas() || this.rollout.isEnforcedFor(session);
    }

    /** A joined contract that would have been refused. */
    void wouldConflict(FreshnessContract contract, FreshnessSession session, Reason reason) {
        this.log.predicted(contract, session, RoutingDecision.rejected(reason));
    }

    /** Whether {@link #begins} does anything. */
    boolean traces() {
        return this.listener.traces();
    }

    /** A transaction or scope is about to be routed. */
    RoutingListener.@Nullable Trace begins(FreshnessContract contract) {
        return this.listener.begins(this.database, contract);
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

    /** What a contract's reads owe to the session's writes, as far as the newest sample of the writer tells. */
    Floor floor(FreshnessContract contract, FreshnessSession session, DatabaseState now, long nanos) {
        return session.floors(this.database, now.livePrimary(nanos)).required(contract.scopes());
    }

    /** The isolation of the writer's transactions unless told otherwise, as the newest connection had it; null if unknown. */
    @Nullable
    Integer defaultIsolation() {
        return this.connections.defaultIsolation();
    }

    /** What the calling thread has open on this database. */
    ThreadConnections threads() {
        return this.threads;
    }

    /** Where connections come from. */
    NodeConnections connections() {
        return this.connections;
    }

    /** A replica cancelled what ran on a connection to go on with replay, which says nothing about its health. */
    void conflict(Lease lease, boolean terminated) {
        this.log.recoveryConflict(lease.nodeName(), terminated);
    }

    /** What fails the first run of a method on a replica of this database. */
    ReadAttempt.Failure failure(ReadAttempt.Cause cause) {
        return new ReadAttempt.Failure(this.database, cause, succeeded -> this.log.reran(reason(cause), succeeded));
    }

    private static Reason reason(ReadAttempt.Cause cause) {
        return cause == ReadAttempt.Cause.RECOVERY_CONFLICT ? Reason.RECOVERY_CONFLICT : Reason.CONNECTION_LOST;
    }

    /**
     * Routes a read unit of a method's second run to the writer, as one that no replica could serve.
     *
     * @param cause what failed the first run
     */
    Unit again(Exchange exchange, FreshnessContract contract, FreshnessSession session, ReadAttempt.Cause cause)
            throws SQLException {
        return settle(exchange, contract, session, RoutingDecision.fallback(reason(cause)));
    }

    /** A replica's connection was lost while it was in use. */
    void lost(Lease lease) {
        this.connections.lost(lease);
    }

    /** Whether a unit that was decided some time ago may still begin where it was sent. */
    boolean isStillMet(Unit unit, ThreadScope scope) {
        FreshnessContract contract = unit.contract();
        return contract != null
                && whyNotHere(contract, scope.session(), unit.lease().node(), state(), System.nanoTime()) == null;
    }

    /** Tells why a replica does not meet a contract of a session now; null if it does. */
    @Nullable
    Reason unmet(FreshnessContract contract, FreshnessSession session, int replica, DatabaseState now, long nanos) {
        if (contract.monotonic()) {
            ReadFloor reads = session.reads(now, nanos);
            if (reads.pending() && reads.node() != replica) {
                return Reason.BEHIND_READS;
            }
        }
        return this.router.unmet(
                contract,
                required(contract, session, now, nanos),
                now,
                now.replicas().get(replica),
                nanos);
    }

    /** Tells why no unit may begin on a replica under a contract of a session now; null if one may. */
    @Nullable
    Reason whyNotHere(
            FreshnessContract contract, FreshnessSession session, int replica, DatabaseState now, long nanos) {
        return isIn(this.takenOut.out(nanos), replica)
                ? Reason.TAKEN_OUT
                : unmet(contract, session, replica, now, nanos);
    }

    /** Tells why no unit of somebody who has written nothing may begin on a replica; null if one may. */
    @Nullable
    Reason unmetByAnyone(int replica, FreshnessContract contract) {
        DatabaseState now = state();
        long nanos = System.nanoTime();
        if (isIn(this.takenOut.out(nanos), replica)) {
            return Reason.TAKEN_OUT;
        }
        Reason unmet =
                this.router.unmet(contract, Floor.none(), now, now.replicas().get(replica), nanos);
        return unmet == null && isIn(this.outages.out(now, nanos), replica) ? Reason.OUT_AFTER_FAILURE : unmet;
    }

    private static boolean isIn(long mask, int replica) {
        return (mask >>> replica & 1) != 0;
    }

    /** Replicas that an operator has taken out. */
    TakenOutReplicas takenOut() {
        return this.takenOut;
    }

    /** What a read must include: the session's writes, and if it is monotonic also what earlier reads have shown. */
    Floor required(FreshnessContract contract, FreshnessSession session, DatabaseState now, long nanos) {
        Floor writes =
                contract.mode() == FreshnessMode.READ_YOUR_WRITES ? floor(contract, session, now, nanos) : Floor.none();
        return contract.monotonic() ? writes.and(session.reads(now, nanos).floor()) : writes;
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
        boolean enforced = isEnforcedFor(session);
        boolean watched = enforced && hasReplicas();
        if (watched && state().isWriterInRecovery(System.nanoTime())) {
            throw writerInRecovery(contract);
        }
        Lease lease = exchange.to(Lease.WRITER);
        if (watched && lease.driver() != null && ConnectionProfiles.isStandby(lease.driver())) {
            throw refuseStandby(exchange, lease, contract, session);
        }
        if (contract != null && reason != null) {
            if (enforced) {
                this.log.decided(contract, session, RoutingDecision.writer(reason));
            } else {
                this.log.predicted(contract, session, RoutingDecision.writer(reason));
            }
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
    Unit read(Exchange exchange, FreshnessContract contract, FreshnessSession session, @Nullable ThreadScope sticky)
            throws SQLException {
        if (!isEnforcedFor(session)) {
            return this.observed.read(exchange, contract, session);
        }
        long failed = 0;
        long waitBudget = contract.waitBudget().toNanos();
        int waits = 0;
        // Each turn but the last leaves a replica out or follows a wait, of which there are at most two.
        for (int turn = 0; turn <= this.replicas + MOST_WAITS + 1; turn++) {
            DatabaseState now = state();
            long nanos = System.nanoTime();
            RoutingDecision decision = decide(contract, session, sticky, now, nanos, failed);
            if (!decision.isReplica()) {
                if (decision.reason().isOfFloor() && session.doubt(this.database)) {
                    // What a client has brought along may be of another history, which only the writer can tell.
                    this.watch.probeSoon(Lease.WRITER);
                }
                if (waits < MOST_WAITS
                        && this.catchUp.await(
                                contract,
                                session,
                                decision,
                                TransactionDeadline.cap(waitBudget),
                                this.threads::isFreeToWait)) {
                    waitBudget -= System.nanoTime() - nanos;
                    waits++;
                    continue;
                }
                return settle(exchange, contract, session, decision);
            }
            Lease lease = this.connections.toReplica(exchange, decision.replica(), now, nanos);
            if (lease == null) {
                failed |= this.loads.alike(decision.replica());
                continue;
            }
            Unit unit = checkAgain(contract, session, decision, lease);
            if (unit != null) {
                if (sticky != null) {
                    sticky.stickTo(this.database, decision.replica());
                }
                this.log.decided(contract, session, waits > 0 ? decision.afterWait() : decision);
                return unit;
            }
            failed |= 1L << decision.replica();
        }
        throw new IllegalStateException("Every replica was left out, and yet none of the turns was the last");
    }

    /** Where a read would go, but for what happens on the way. */
    RoutingDecision decide(
            FreshnessContract contract,
            FreshnessSession session,
            @Nullable ThreadScope sticky,
            DatabaseState now,
            long nanos,
            long failed) {
        Floor floor = required(contract, session, now, nanos);
        ReadFloor reads = contract.monotonic() ? session.reads(now, nanos) : ReadFloor.none();
        int sticking = sticky == null ? ThreadScope.NO_REPLICA : sticky.stickyReplica(this.database);
        int preferred = sticking == ThreadScope.NO_REPLICA ? reads.node() : sticking;
        long takenOut = this.takenOut.out(nanos);
        long excluded = failed | takenOut | this.outages.out(now, nanos);
        RoutingDecision decision = explained(
                this.router.decide(contract, floor, now, nanos, preferred, excluded),
                failed,
                takenOut,
                floor,
                now,
                nanos);
        if (!reads.pending() || !decision.isReplica() || decision.replica() == reads.node()) {
            return decision;
        }
        // Some replica would do, were it not for a read whose position nobody knows yet.
        long others = reads.node() < 0 ? -1L : ~(1L << reads.node());
        RoutingDecision here = this.router.decide(contract, floor, now, nanos, preferred, excluded | others);
        return here.isReplica() ? here : here.because(Reason.BEHIND_READS);
    }

    private static RoutingDecision explained(
            RoutingDecision decision, long failed, long takenOut, Floor floor, DatabaseState now, long nanos) {
        if (decision.reason() == Reason.BORROW_FAILED && failed == 0) {
            // Every replica was left out before any was asked for a connection.
            return decision.because(
                    Long.bitCount(takenOut) == now.replicas().size() ? Reason.TAKEN_OUT : Reason.OUT_AFTER_FAILURE);
        }
        if (decision.reason() == Reason.FLOOR_UNKNOWN
                && floor instanceof Floor.Unknown unknown
                && unknown.isOfOtherServerThan(now.livePrimary(nanos))) {
            return decision.because(Reason.HISTORY_CHANGED);
        }
        return decision;
    }

    /** The borrow may have taken a while: what was true of the replica before it need not be true now. */
    private @Nullable Unit checkAgain(
            FreshnessContract contract, FreshnessSession session, RoutingDecision decision, Lease lease) {
        // Counted before the floor is looked at: a write of another thread in between must not pass for one that was.
        int writes = session.writes(this.database);
        DatabaseState now = state();
        long nanos = System.nanoTime();
        ReplicaState replica = now.replicas().get(decision.replica());
        boolean stale = decision.outcome() == Outcome.STALE;
        boolean good = stale
                ? now.liveStandby(replica, nanos) != null && !isIn(this.takenOut.out(nanos), decision.replica())
                : whyNotHere(contract, session, decision.replica(), now, nanos) == null;
        return good ? new Unit(lease, contract, writes, replica, !stale) : null;
    }

    private Unit settle(
            Exchange exchange, FreshnessContract contract, FreshnessSession session, RoutingDecision decision)
            throws SQLException {
        if (decision.outcome() == Outcome.REJECTED) {
            this.log.decided(contract, session, decision);
            throw refusal(contract, decision.reason());
        }
        WriterFallbackBudget.Permit permit =
                decision.outcome() == Outcome.WRITER_FALLBACK ? permit(contract, session, decision) : null;
        try {
            Lease lease = exchange.to(Lease.WRITER);
            if (!leadsToPrimary(lease)) {
                throw refuseStandby(exchange, lease, contract, session);
            }
            this.log.decided(contract, session, decision);
            if (permit != null) {
                lease.spend(permit);
                permit = null;
            }
            return Unit.onWriter(lease, contract, session.writes(this.database));
        } finally {
            if (permit != null) {
                permit.release();
            }
        }
    }

    /** What allows a read to fall back to the writer. A thread for which others may be waiting does not wait for it. */
    private WriterFallbackBudget.Permit permit(
            FreshnessContract contract, FreshnessSession session, RoutingDecision decision) {
        WriterFallbackBudget.Permit permit = this.fallbacks.tryAcquire(contract.priority());
        if (permit != null) {
            return permit;
        }
        if (!this.threads.isFreeToWait()) {
            return this.fallbacks.takeNext();
        }
        permit = this.fallbacks.acquire(
                contract.priority(),
                TransactionDeadline.cap(this.fallbacks.limits().maxWait().toNanos()));
        if (permit == null) {
            this.log.decided(contract, session, RoutingDecision.rejected(Reason.FALLBACK_EXHAUSTED));
            throw new WriterFallbackExhaustedException(unmet(contract, decision.reason()) + "; and "
                    + this.fallbacks.limits().maxConcurrent() + " reads run on the writer already, as many as"
                    + " freshness.writer-fallback.max-concurrent allows");
        }
        return permit;
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

    private RuntimeException refuseStandby(
            Exchange exchange, Lease lease, @Nullable FreshnessContract contract, @Nullable FreshnessSession session) {
        exchange.evict(lease);
        this.watch.probeSoon(Lease.WRITER);
        if (contract != null) {
            this.log.decided(contract, session, RoutingDecision.rejected(Reason.WRITER_IN_RECOVERY));
        }
        return writerInRecovery(contract);
    }

    private WriterUnavailableException writerInRecovery(@Nullable FreshnessContract contract) {
        return new WriterUnavailableException("The writer " + this.writer + " of database " + this.database
                + " is in recovery" + (contract == null ? "" : ", so it cannot answer " + contract.declaredBy()));
    }

    private RuntimeException refusal(FreshnessContract contract, Reason reason) {
        if (reason == Reason.WRITER_IN_RECOVERY) {
            return writerInRecovery(contract);
        }
        return new StaleReadNotAllowedException(unmet(contract, reason));
    }

    private String unmet(FreshnessContract contract, Reason reason) {
        return "No replica of database " + this.database + " meets the contract " + contract.mode() + " of "
                + contract.declaredBy() + ": " + reason.tag()
                + (contract.mode() == FreshnessMode.EVENTUAL ? ", max staleness " + contract.maxStaleness() : "");
    }

    /** The logical connection's side of a decision: it holds the connection that is to be kept, given back or replaced. */
    interface Exchange {

        /** A connection to a node, set up as the logical connection is: the one already held, or a borrowed one. */
        Lease to(int node) throws SQLException;

        /** Throws away a connection that {@link #to} returned. */
        void evict(Lease lease);
    }
}
