/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.routing.Reason;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of decisions, recovery conflicts and second runs: the listener, and at DEBUG the log, one line for each decision, with what was known of every replica
 * where none served it.
 *
 * <p>Thread-safe.
 */
final class DecisionLog {

    private static final Logger logger = LoggerFactory.getLogger(DecisionLog.class);

    private final UnitRouting routing;

    private final String writer;

    private final RoutingListener listener;

    DecisionLog(UnitRouting routing, String writer, RoutingListener listener) {
        this.routing = routing;
        this.writer = writer;
        this.listener = listener;
    }

    /** A unit under a contract that is only observed runs on the writer. */
    void observed(FreshnessContract contract, FreshnessSession session) {
        Verdict verdict = verdict(contract, session, RoutingDecision.writer(Reason.OBSERVED));
        this.listener.explained(verdict, true);
        tellScope(verdict);
    }

    /** What enforcing the contract of an observed unit would have come to. */
    void predicted(FreshnessContract contract, @Nullable FreshnessSession session, RoutingDecision decision) {
        this.listener.decided(this.routing.database(), contract, decision, false);
        this.listener.explained(verdict(contract, session, decision), false);
        if (logger.isDebugEnabled()) {
            logger.debug(
                    "{} of {}: observed; enforced it would be {} {} ({})",
                    contract.mode(),
                    contract.declaredBy(),
                    decision.outcome().tag(),
                    node(decision),
                    decision.reason().tag());
        }
    }

    void decided(FreshnessContract contract, @Nullable FreshnessSession session, RoutingDecision decision) {
        this.listener.decided(this.routing.database(), contract, decision, true);
        Verdict verdict = verdict(contract, session, decision);
        this.listener.explained(verdict, true);
        tellScope(verdict);
        if (logger.isDebugEnabled()) {
            logger.debug(
                    "{} of {}: {} {} ({}){}",
                    contract.mode(),
                    contract.declaredBy(),
                    decision.outcome().tag(),
                    node(decision),
                    decision.reason().tag(),
                    decision.isReplica() || session == null ? "" : replicas(contract, session));
        }
    }

    private Verdict verdict(FreshnessContract contract, @Nullable FreshnessSession session, RoutingDecision decision) {
        DatabaseState state = this.routing.state();
        long now = System.nanoTime();
        Floor floor = session == null ? Floor.none() : this.routing.required(contract, session, state, now);
        return new Verdict(this.writer, contract, decision, floor, state, now);
    }

    private static void tellScope(Verdict verdict) {
        ThreadScope scope = ThreadScope.current();
        if (scope != null) {
            scope.decided(verdict);
        }
    }

    void recoveryConflict(String node, boolean terminated) {
        this.listener.recoveryConflict(this.routing.database(), node, terminated);
    }

    void reran(Reason why, boolean succeeded) {
        this.listener.reran(this.routing.database(), why, succeeded);
    }

    private String node(RoutingDecision decision) {
        if (decision.isReplica()) {
            return this.routing.state().replicas().get(decision.replica()).name();
        }
        return switch (decision.outcome()) {
            case REJECTED -> "nowhere";
            default -> this.writer;
        };
    }

    private String replicas(FreshnessContract contract, FreshnessSession session) {
        DatabaseState state = this.routing.state();
        long now = System.nanoTime();
        Floor floor = this.routing.required(contract, session, state, now);
        StringBuilder text = new StringBuilder("; must include ").append(floor);
        for (int i = 0; i < state.replicas().size(); i++) {
            ReplicaState replica = state.replicas().get(i);
            Reason unmet = this.routing.whyNotHere(contract, session, i, state, now);
            text.append("; ").append(replica.name());
            if (replica.observation() instanceof StandbyObservation standby) {
                text.append(" at ").append(standby.replay());
            }
            if (replica.freshnessKnown()) {
                text.append(", staleness up to ")
                        .append(Duration.ofNanos(replica.stalenessBound(now)).toMillis())
                        .append(" ms");
            }
            text.append(", ").append(unmet == null ? Reason.CONTRACT_MET.tag() : unmet.tag());
        }
        return text.toString();
    }
}
