/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.topology.DatabaseState;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

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

    /** Made once, since there are as many as reasons or replicas and decisions are many. */
    private static final Map<Reason, RoutingDecision> TO_WRITER = forEveryReason(Outcome.WRITER);

    private static final Map<Reason, RoutingDecision> FALLBACKS = forEveryReason(Outcome.WRITER_FALLBACK);

    private static final Map<Reason, RoutingDecision> REFUSALS = forEveryReason(Outcome.REJECTED);

    private static final List<RoutingDecision> MET = forEveryReplica(Outcome.REPLICA);

    private static final List<RoutingDecision> MET_AFTER_WAIT = forEveryReplica(Outcome.REPLICA_AFTER_WAIT);

    private static Map<Reason, RoutingDecision> forEveryReason(Outcome outcome) {
        Map<Reason, RoutingDecision> decisions = new EnumMap<>(Reason.class);
        for (Reason reason : Reason.values()) {
            decisions.put(reason, new RoutingDecision(outcome, reason, NO_REPLICA));
        }
        return decisions;
    }

    private static List<RoutingDecision> forEveryReplica(Outcome outcome) {
        return IntStream.range(0, DatabaseState.MAX_REPLICAS)
                .mapToObj(replica -> new RoutingDecision(outcome, Reason.CONTRACT_MET, replica))
                .toList();
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
        if (this.outcome != Outcome.REPLICA) {
            return this;
        }
        return this.reason == Reason.CONTRACT_MET
                ? MET_AFTER_WAIT.get(this.replica)
                : replica(Outcome.REPLICA_AFTER_WAIT, this.reason, this.replica);
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

    /**
     * To the writer, in place of a replica.
     *
     * @param reason why
     * @return the decision
     */
    public static RoutingDecision fallback(Reason reason) {
        return Objects.requireNonNull(FALLBACKS.get(reason));
    }

    /**
     * Nowhere.
     *
     * @param reason why
     * @return the decision
     */
    public static RoutingDecision rejected(Reason reason) {
        return Objects.requireNonNull(REFUSALS.get(reason));
    }

    static RoutingDecision met(int replica) {
        return MET.get(replica);
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
