/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.OnUnmet;
import dev.freshness.monitor.Awaited;
import dev.freshness.monitor.DatabaseWatch;
import dev.freshness.routing.FreshnessRouter;
import dev.freshness.routing.Reason;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import dev.freshness.routing.WaitOutcome;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.WalPosition;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits, before a read is left to its policy, for a replica to reach what the read must include.
 *
 * <p>Guarantees that a wait ends within its budget, by an interrupt, and with the monitor, and that nobody waits who is not
 * free to. Where the writer may answer instead, nobody waits for
 * replicas that by their replay rates cannot be there within the budget.
 *
 * <p>What it does when it cannot know: a floor of unknown position cannot be waited for. Where the contract rather refuses
 * than asks the writer, one sample of the writer, begun after the floor arose, gives it a position; else there is no wait.
 *
 * <p>Thread-safe. Owns nothing.
 */
final class CatchUp {

    private final String database;

    private final DatabaseWatch watch;

    private final FreshnessRouter router;

    private final RoutingListener listener;

    private final Requirement requirement;

    /**
     * Creates it.
     *
     * @param requirement tells what a read must include
     */
    CatchUp(
            String database,
            DatabaseWatch watch,
            FreshnessRouter router,
            RoutingListener listener,
            Requirement requirement) {
        this.database = database;
        this.watch = watch;
        this.router = router;
        this.listener = listener;
        this.requirement = requirement;
    }

    /**
     * Waits if that can help.
     *
     * @param decision what the read comes to without a wait
     * @param nanos what is left of the budget
     * @param freeToWait asked once it is clear that there would be a wait; gives back what the thread need not hold
     * @return whether to decide again
     */
    boolean await(
            FreshnessContract contract,
            FreshnessSession session,
            RoutingDecision decision,
            long nanos,
            BooleanSupplier freeToWait) {
        Wait wait = wait(contract, session, decision, nanos);
        if (wait == null || !freeToWait.getAsBoolean()) {
            return false;
        }
        wait.sample(this.watch);
        long begun = System.nanoTime();
        WaitOutcome outcome = this.watch.await(wait.awaited(), nanos);
        this.listener.waited(this.database, outcome, System.nanoTime() - begun);
        return outcome == WaitOutcome.REACHED;
    }

    /**
     * Leaves it to the monitor to find out how a wait would end.
     *
     * @param decision what the read comes to without a wait
     * @param nanos what is left of the budget
     * @param then told how it would have ended
     * @return false if there would be no wait; nobody is told anything then
     */
    boolean note(
            FreshnessContract contract,
            FreshnessSession session,
            RoutingDecision decision,
            long nanos,
            Consumer<WaitOutcome> then) {
        Wait wait = wait(contract, session, decision, nanos);
        if (wait == null) {
            return false;
        }
        wait.sample(this.watch);
        long begun = System.nanoTime();
        this.watch.note(wait.awaited(), nanos, outcome -> {
            this.listener.waited(this.database, outcome, System.nanoTime() - begun);
            then.accept(outcome);
        });
        return true;
    }

    /** What to wait for, null if that cannot help. */
    private @Nullable Wait wait(
            FreshnessContract contract, FreshnessSession session, RoutingDecision decision, long nanos) {
        if (nanos <= 0 || !contract.monotonic()) {
            return null;
        }
        DatabaseState now = this.watch.state();
        if (decision.reason() == Reason.BEHIND_FLOOR) {
            Included included = new Included(contract, session, now);
            return included.isHopeless(now, nanos) ? null : new Wait(included, Wait.NO_SAMPLE);
        }
        if (decision.reason() == Reason.BEHIND_READS) {
            int node =
                    Math.max(Lease.WRITER, session.reads(now, System.nanoTime()).node());
            return new Wait(state -> isSettled(session, state), node);
        }
        if (decision.reason() == Reason.FLOOR_UNKNOWN && contract.onUnmet() == OnUnmet.REJECT) {
            return new Wait(state -> isResolved(contract, session, state), Lease.WRITER);
        }
        return null;
    }

    private static boolean isSettled(FreshnessSession session, DatabaseState state) {
        return !session.reads(state, System.nanoTime()).pending();
    }

    private boolean isResolved(FreshnessContract contract, FreshnessSession session, DatabaseState state) {
        return !(session.resolve(this.database, state.livePrimary(System.nanoTime()))
                        .required(contract.scopes())
                instanceof Floor.Unknown);
    }

    /**
     * A wait that can help.
     *
     * @param awaited what to wait for
     * @param node the node that a sample is needed of, or {@link #NO_SAMPLE}
     */
    private record Wait(Awaited awaited, int node) {

        static final int NO_SAMPLE = -2;

        void sample(DatabaseWatch watch) {
            if (this.node != NO_SAMPLE) {
                watch.probeSoon(this.node);
            }
        }
    }

    /** What a read must include, as {@link UnitRouting#required}. */
    @FunctionalInterface
    interface Requirement {

        Floor of(FreshnessContract contract, FreshnessSession session, DatabaseState state, long now);
    }

    /** Some replica with everything that a read must include. */
    private final class Included implements Awaited {

        private final FreshnessContract contract;

        private final FreshnessSession session;

        private final @Nullable WalPosition floor;

        Included(FreshnessContract contract, FreshnessSession session, DatabaseState state) {
            this.contract = contract;
            this.session = session;
            this.floor = owed(state, System.nanoTime()) instanceof Floor.At at ? at.position() : null;
        }

        private Floor owed(DatabaseState state, long now) {
            return CatchUp.this.requirement.of(this.contract, this.session, state, now);
        }

        /** As it is when the wait begins: it can only rise. */
        @Override
        public @Nullable WalPosition floor() {
            return this.floor;
        }

        @Override
        public boolean isMet(DatabaseState state) {
            long now = System.nanoTime();
            Floor owed = owed(state, now);
            for (ReplicaState replica : state.replicas()) {
                if (CatchUp.this.router.unmet(this.contract, owed, state, replica, now) == null) {
                    return true;
                }
            }
            return false;
        }

        /**
         * Whether some replica is known to be too slow and none may be in time. A refusal has nothing better to do than to
         * wait.
         */
        @Override
        public boolean isHopeless(DatabaseState state, long nanos) {
            if (this.floor == null || this.contract.onUnmet() == OnUnmet.REJECT) {
                return false;
            }
            long now = System.nanoTime();
            boolean tooSlow = false;
            for (ReplicaState replica : state.replicas()) {
                StandbyObservation standby = state.liveStandby(replica, now);
                if (standby == null
                        || !standby.knowsPosition()
                        || !standby.isOfHistory(this.floor.systemIdentifier(), this.floor.timeline())) {
                    continue;
                }
                long since = now - standby.sampledAt();
                if (replica.replayRate() != 0 && replica.leastNanosTo(this.floor.lsn()) - since <= nanos) {
                    return false;
                }
                tooSlow = true;
            }
            return tooSlow;
        }
    }
}
