/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.OnUnmet;
import dev.freshness.monitor.DatabaseWatch;
import dev.freshness.routing.FreshnessRouter;
import dev.freshness.routing.Reason;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import dev.freshness.routing.WaitOutcome;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.topology.DatabaseState;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Waits, before a read is left to its policy, for a replica to reach the client's own writes.
 *
 * <p>Guarantees that a wait ends within its budget, by an interrupt, and with the monitor, and that the logical connection
 * that waits holds no idle connection of the writer meanwhile.
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

    CatchUp(String database, DatabaseWatch watch, FreshnessRouter router, RoutingListener listener) {
        this.database = database;
        this.watch = watch;
        this.router = router;
        this.listener = listener;
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
        if (nanos <= 0 || !contract.monotonic()) {
            return false;
        }
        if (decision.reason() == Reason.BEHIND_FLOOR) {
            return freeToWait.getAsBoolean() && await(state -> isMetBySome(contract, session, state), nanos);
        }
        if (decision.reason() == Reason.BEHIND_READS) {
            int node = session.reads(this.watch.state(), System.nanoTime()).node();
            return freeToWait.getAsBoolean() && awaitSample(node, state -> !isPending(session, state), nanos);
        }
        if (decision.reason() == Reason.FLOOR_UNKNOWN && contract.onUnmet() == OnUnmet.REJECT) {
            return freeToWait.getAsBoolean() && awaitSample(Lease.WRITER, state -> isResolved(session, state), nanos);
        }
        return false;
    }

    private boolean isMetBySome(FreshnessContract contract, FreshnessSession session, DatabaseState state) {
        long now = System.nanoTime();
        Floor floor = session.floor(this.database);
        return state.replicas().stream()
                .anyMatch(replica -> this.router.unmet(contract, floor, state, replica, now) == null);
    }

    private static boolean isPending(FreshnessSession session, DatabaseState state) {
        return session.reads(state, System.nanoTime()).pending();
    }

    private boolean isResolved(FreshnessSession session, DatabaseState state) {
        return !(session.resolve(this.database, state.livePrimary(System.nanoTime())) instanceof Floor.Unknown);
    }

    private boolean awaitSample(int node, Predicate<DatabaseState> condition, long nanos) {
        this.watch.probeSoon(node);
        return await(condition, nanos);
    }

    private boolean await(Predicate<DatabaseState> condition, long nanos) {
        long begun = System.nanoTime();
        boolean reached = this.watch.await(condition, nanos);
        long took = System.nanoTime() - begun;
        WaitOutcome outcome = reached ? WaitOutcome.REACHED : took >= nanos ? WaitOutcome.EXHAUSTED : WaitOutcome.ENDED;
        this.listener.waited(this.database, outcome, took);
        return reached;
    }
}
