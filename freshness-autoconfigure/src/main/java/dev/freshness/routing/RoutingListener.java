/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessVerdict;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Told of every decision on a unit under a contract, of every catch-up wait, recovery conflict and second run of a
 * method, on the thread concerned. Must be quick and must not throw.
 */
@FunctionalInterface
public interface RoutingListener {

    /** Does nothing. */
    RoutingListener NONE = (database, contract, decision, enforced) -> {};

    /**
     * A unit was routed or refused, or would have been. What would have become of a unit that would have waited is told once
     * that is known, on a thread of the monitor.
     *
     * @param database the database
     * @param contract the contract in force
     * @param decision where it goes and why, or where it would have gone if contracts were enforced
     * @param enforced whether it was done, and not only observed
     */
    void decided(String database, FreshnessContract contract, RoutingDecision decision, boolean enforced);

    /**
     * What a decision was made of. Told after each {@link #decided}, and of units whose contract is only observed also where
     * they really ran.
     *
     * @param verdict tells it; can be asked later and on another thread, for as long as it is held on to it keeps what was
     *     known of the database then
     * @param enforced whether it was done, and not only what would have been
     */
    default void explained(Supplier<FreshnessVerdict> verdict, boolean enforced) {}

    /**
     * A unit waited for a replica to catch up.
     *
     * @param database the database
     * @param outcome how the wait ended
     * @param nanos how long it took
     */
    default void waited(String database, WaitOutcome outcome, long nanos) {}

    /**
     * A replica stopped a read that was in the way of replay.
     *
     * @param database the database
     * @param node the replica
     * @param terminated whether it ended the connection, as it does while a transaction is idle, or only cancelled a
     *     statement
     */
    default void recoveryConflict(String database, String node, boolean terminated) {}

    /**
     * A method was run again on the writer.
     *
     * @param database the database
     * @param reason {@link Reason#RECOVERY_CONFLICT} or {@link Reason#CONNECTION_LOST}
     * @param succeeded whether the second run ended well
     */
    default void reran(String database, Reason reason, boolean succeeded) {}

    /**
     * Whether {@link #begins} wants to be called.
     *
     * @return false if that would do nothing
     */
    default boolean traces() {
        return false;
    }

    /**
     * A transaction under a contract, or a contract's scope without one, is about to be routed, or moves to another node.
     * Nothing is told here of what it does there.
     *
     * @param database the database
     * @param contract the contract in force
     * @return told of the end, null for nobody
     */
    default @Nullable Trace begins(String database, FreshnessContract contract) {
        return null;
    }

    /** What is being routed. */
    @FunctionalInterface
    interface Trace {

        /**
         * It was routed or refused.
         *
         * @param verdict where and why; null if that is not known, as where no connection could be had
         * @param failure what the caller gets instead of a connection, null if it got one
         */
        void ends(@Nullable FreshnessVerdict verdict, @Nullable Throwable failure);
    }
}
