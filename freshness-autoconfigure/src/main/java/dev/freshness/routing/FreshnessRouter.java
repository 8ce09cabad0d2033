/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.session.Floor;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.WalPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides where a read unit goes, from nothing but the contract, the floor, one immutable {@link DatabaseState} and the
 * time.
 *
 * <p>Guarantees that a replica is chosen only if a live observation shows that it meets the contract, or if the contract
 * itself allows {@link OnUnmet#STALE} and the decision says so.
 *
 * <p>What it does when it cannot know: a replica that was not observed, or whose history, position or staleness is
 * unknown, does not meet a contract. The contract's {@link OnUnmet} says what follows: the writer or a refusal.
 *
 * <p>Among replicas that meet a contract, those with a free connection come first, then those of the application's own
 * zone, then, for reads that tolerate lag, those that lag, so that the others are left to the reads that need them; among
 * these {@link ReplicaChoice} says. Two are drawn and only these are looked at; all of them are only if neither will do. So
 * the cost of a decision hardly grows with the number of replicas.
 *
 * <p>Thread-safe and free of locks.
 */
public final class FreshnessRouter {

    private final ReplicaDraw draw;

    private final long floorLifeNanos;

    /** A router that knows of no weights, zones and loads, and of floors that are kept for good. */
    public FreshnessRouter() {
        this(RoutingSettings.DEFAULT, ReplicaLoads.NONE);
    }

    /**
     * Creates a router.
     *
     * @param settings how to choose, and how long floors are known
     * @param loads tells how busy the replicas are
     */
    public FreshnessRouter(RoutingSettings settings, ReplicaLoads loads) {
        this.draw = new ReplicaDraw(settings.choice(), loads);
        this.floorLifeNanos = settings.floorLife().toNanos();
    }

    /**
     * Decides on a read unit.
     *
     * @param contract what the read asks for
     * @param floor what it must include under {@link FreshnessMode#READ_YOUR_WRITES}
     * @param state the database
     * @param now {@link System#nanoTime()}
     * @param preferred the index of a replica to stay on while it meets the contract, or a negative number
     * @param excluded the replicas not to take, one bit each
     * @return where it goes and why
     */
    public RoutingDecision decide(
            FreshnessContract contract, Floor floor, DatabaseState state, long now, int preferred, long excluded) {
        boolean writerInRecovery = state.isWriterInRecovery(now);
        if (contract.mode() == FreshnessMode.AUTHORITATIVE_NOW) {
            return writerInRecovery
                    ? RoutingDecision.rejected(Reason.WRITER_IN_RECOVERY)
                    : RoutingDecision.writer(Reason.AUTHORITATIVE);
        }
        List<ReplicaState> replicas = state.replicas();
        int count = replicas.size();
        if (count == 0) {
            return RoutingDecision.writer(Reason.NO_REPLICAS);
        }
        if (preferred >= 0
                && preferred < count
                && (excluded >>> preferred & 1) == 0
                && unmet(contract, floor, state, replicas.get(preferred), now) == null) {
            return RoutingDecision.met(preferred);
        }
        long candidates = (-1L >>> Long.SIZE - count) & ~excluded;
        // Under READ_YOUR_WRITES a replica that lags may do as well; but then nothing is gained by taking it first.
        long spared = contract.mode() == FreshnessMode.EVENTUAL ? state.laggingReplicas() : 0;
        int drawn = candidates == 0
                ? ReplicaDraw.NOTHING
                : drawn(contract, floor, state, now, this.draw.best(candidates, spared));
        if (drawn != ReplicaDraw.NOTHING) {
            return RoutingDecision.met(drawn);
        }
        long meeting = 0;
        long full = 0;
        Reason nearest = Reason.NOT_OBSERVED;
        for (long rest = candidates; rest != 0; rest &= rest - 1) {
            int i = Long.numberOfTrailingZeros(rest);
            Reason reason = unmet(contract, floor, state, replicas.get(i), now);
            if (reason == null) {
                meeting |= 1L << i;
                full |= this.draw.isFull(i) ? 1L << i : 0;
            } else if (reason.compareTo(nearest) < 0) {
                nearest = reason;
            }
        }
        long free = meeting & ~full;
        if (free != 0) {
            return RoutingDecision.met(this.draw.any(this.draw.best(free, spared), now));
        }
        if (meeting != 0) {
            return RoutingDecision.met(this.draw.leastLoaded(meeting, now));
        }
        Reason reason = candidates == 0 ? Reason.BORROW_FAILED : nearest;
        return unmetDecision(contract.onUnmet(), reason, state, now, excluded, writerInRecovery);
    }

    /** Draws from a group, most of which will mostly do; nothing if what was drawn will not. */
    private int drawn(FreshnessContract contract, Floor floor, DatabaseState state, long now, long group) {
        int first = this.draw.first(group);
        int second = this.draw.second(group, first);
        boolean firstWillDo = willDo(contract, floor, state, now, first);
        boolean secondWillDo = second != ReplicaDraw.NOTHING && willDo(contract, floor, state, now, second);
        if (firstWillDo && secondWillDo) {
            return this.draw.lessLoaded(first, second, now);
        }
        return firstWillDo ? first : secondWillDo ? second : ReplicaDraw.NOTHING;
    }

    private boolean willDo(FreshnessContract contract, Floor floor, DatabaseState state, long now, int replica) {
        return !this.draw.isFull(replica)
                && unmet(contract, floor, state, state.replicas().get(replica), now) == null;
    }

    private static RoutingDecision unmetDecision(
            OnUnmet policy, Reason reason, DatabaseState state, long now, long excluded, boolean writerInRecovery) {
        if (policy == OnUnmet.REJECT) {
            return RoutingDecision.rejected(reason);
        }
        if (policy == OnUnmet.STALE) {
            int replica = leastStale(state, now, excluded);
            if (replica >= 0) {
                return RoutingDecision.replica(Outcome.STALE, reason, replica);
            }
        }
        return writerInRecovery
                ? RoutingDecision.rejected(Reason.WRITER_IN_RECOVERY)
                : RoutingDecision.fallback(reason);
    }

    /**
     * Tells whether a replica meets a contract by its live observation.
     *
     * @param contract what the read asks for
     * @param floor what it must include under {@link FreshnessMode#READ_YOUR_WRITES}
     * @param state the database
     * @param replica one of its replicas
     * @param now {@link System#nanoTime()}
     * @return null if it does, else why not
     */
    public @Nullable Reason unmet(
            FreshnessContract contract, Floor floor, DatabaseState state, ReplicaState replica, long now) {
        StandbyObservation standby = state.liveStandby(replica, now);
        if (standby == null) {
            return whyNotLive(state, replica, now);
        }
        return unmetAsOf(contract, floor, replica, standby, now);
    }

    /**
     * Tells whether what was once observed of a replica meets a contract now: for a transaction whose snapshot is as old
     * as that observation.
     *
     * @param contract what the read asks for
     * @param floor what it must include under {@link FreshnessMode#READ_YOUR_WRITES}
     * @param replica the replica as of then
     * @param standby its observation as of then
     * @param now {@link System#nanoTime()}
     * @return null if it does, else why not
     */
    public @Nullable Reason unmetAsOf(
            FreshnessContract contract, Floor floor, ReplicaState replica, StandbyObservation standby, long now) {
        if (contract.mode() == FreshnessMode.AUTHORITATIVE_NOW) {
            return Reason.AUTHORITATIVE;
        }
        if (contract.monotonic()) {
            Reason reason = behind(floor, standby);
            if (reason != null) {
                return reason;
            }
        }
        // Further behind, it may lack a write whose floor has ended.
        long bound = contract.mode() == FreshnessMode.READ_YOUR_WRITES
                ? Math.min(contract.maxStaleness().toNanos(), this.floorLifeNanos)
                : contract.maxStaleness().toNanos();
        long staleness = replica.stalenessBound(now);
        if (staleness == ReplicaState.UNKNOWN_STALENESS) {
            return standby.knowsPosition() ? Reason.STALENESS_UNKNOWN : Reason.POSITION_UNKNOWN;
        }
        return staleness <= bound ? null : Reason.TOO_STALE;
    }

    private static @Nullable Reason behind(Floor floor, StandbyObservation standby) {
        if (floor instanceof Floor.Unknown) {
            return Reason.FLOOR_UNKNOWN;
        }
        if (!(floor instanceof Floor.At at)) {
            return null;
        }
        WalPosition position = at.position();
        if (standby.includes(position)) {
            return null;
        }
        if (!standby.knowsPosition()) {
            return Reason.POSITION_UNKNOWN;
        }
        return standby.isOfHistory(position.systemIdentifier(), position.timeline())
                ? Reason.BEHIND_FLOOR
                : Reason.OTHER_HISTORY;
    }

    private static Reason whyNotLive(DatabaseState state, ReplicaState replica, long now) {
        if (!state.isLive(replica.observation(), now)) {
            return Reason.NOT_OBSERVED;
        }
        if (replica.observation() instanceof FailedObservation) {
            return Reason.PROBE_FAILED;
        }
        return replica.observation() instanceof PrimaryObservation ? Reason.NOT_A_STANDBY : Reason.NOT_OBSERVED;
    }

    private static int leastStale(DatabaseState state, long now, long excluded) {
        int best = -1;
        List<ReplicaState> replicas = state.replicas();
        for (int i = 0; i < replicas.size(); i++) {
            if ((excluded >>> i & 1) == 0
                    && state.liveStandby(replicas.get(i), now) != null
                    && (best < 0
                            || replicas.get(i).stalenessBound(now)
                                    < replicas.get(best).stalenessBound(now))) {
                best = i;
            }
        }
        return best;
    }
}
