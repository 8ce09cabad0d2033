/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Where a unit goes and why.
 *
 * @param outcome where
 * @param reason why
 * @param replica the index of the replica, {@link #NO_REPLICA} for the writer or nowhere
 */
public record RoutingDecision(Outcome outcome, Reason reason, int replica) {

    /** Not a replica. */
    public static final int NO_REPLICA = -1;

    /** Made once, since there are as many as reasons and decisions are many. */
    private static final Map<Reason, RoutingDecision> TO_WRITER = new EnumMap<>(Reason.class);

    static {
        for (Reason reason : Reason.values()) {
            TO_WRITER.put(reason, new RoutingDecision(Outcome.WRITER, reason, NO_REPLICA));
        }
    }

    /**
     * To the writer.
     *
     * @param reason why
     * @return the decision
     */
    public static RoutingDecision writer(Reason reason) {
        return Objects.requireNonNull(TO_WRITER.get(reason));
    }

    /**
     * This decision for a replica, after it was waited for.
     *
     * @return the same replica with another outcome; this decision itself unless it is {@link Outcome#REPLICA}
     */
    public RoutingDecision afterWait() {
        return this.outcome == Outcome.REPLICA ? replica(Outcome.REPLICA_AFTER_WAIT, this.reason, this.replica) : this;
    }

    /**
     * To a replica whose connection is kept because of what may have been set on it.
     *
     * @param replica the replica's index
     * @return the decision
     */
    public static RoutingDecision keptOn(int replica) {
        return replica(Outcome.REPLICA, Reason.SESSION_STATE, replica);
    }

    static RoutingDecision fallback(Reason reason) {
        return new RoutingDecision(Outcome.WRITER_FALLBACK, reason, NO_REPLICA);
    }

    /**
     * Nowhere.
     *
     * @param reason why
     * @return the decision
     */
    public static RoutingDecision rejected(Reason reason) {
        return new RoutingDecision(Outcome.REJECTED, reason, NO_REPLICA);
    }

    static RoutingDecision replica(Outcome outcome, Reason reason, int replica) {
        return new RoutingDecision(outcome, reason, replica);
    }

    /**
     * This decision with another reason.
     *
     * @param why the reason
     * @return the same outcome
     */
    public RoutingDecision because(Reason why) {
        return new RoutingDecision(this.outcome, why, this.replica);
    }

    /**
     * Whether the unit goes to a replica.
     *
     * @return false for the writer and for a refusal
     */
    public boolean isReplica() {
        return this.replica != NO_REPLICA;
    }
}
