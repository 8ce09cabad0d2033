/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.routing.Outcome;
import dev.freshness.routing.Reason;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.WaitOutcome;
import dev.freshness.routing.WriterFallbackBudget;
import dev.freshness.session.FreshnessSession;
import dev.freshness.topology.DatabaseState;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Runs read units on the writer, as if there were no contracts, and tells what enforcing theirs would have come to.
 *
 * <p>Guarantees that nothing that it works out keeps a read waiting, refuses it or sends it elsewhere. A wait for a replica is
 * left to the monitor, which notes whether one would have come in time; the limit on fallbacks is held against the reads that
 * would be on the writer for want of a replica at the same time.
 *
 * <p>What it does when it cannot know: where enforced reads would queue for the writer, these do not, so one that finds the
 * limit reached is counted as refused, although in the queue its turn might have come.
 *
 * <p>Thread-safe. Owns nothing; the connections belong to the caller.
 */
final class ObservedReads {

    private final UnitRouting routing;

    private final CatchUp catchUp;

    private final DecisionLog log;

    private final WriterFallbackBudget wouldBe;

    ObservedReads(UnitRouting routing, CatchUp catchUp, DecisionLog log, WriterFallbackBudget wouldBe) {
        this.routing = routing;
        this.catchUp = catchUp;
        this.log = log;
        this.wouldBe = wouldBe;
    }

    Unit read(UnitRouting.Exchange exchange, FreshnessContract contract, FreshnessSession session) throws SQLException {
        RoutingDecision decision = decide(contract, session);
        long waitBudget = this.routing.threads().isBusyOnWriter()
                ? 0
                : TransactionDeadline.cap(contract.waitBudget().toNanos());
        Lease lease = exchange.to(Lease.WRITER);
        this.log.observed(contract, session);
        if (decision.isReplica() || decision.outcome() == Outcome.WRITER) {
            this.log.predicted(contract, session, decision);
        } else {
            predict(lease, contract, session, decision, waitBudget);
        }
        return Unit.onWriter(lease, contract, session.writes(this.routing.database()));
    }

    private RoutingDecision decide(FreshnessContract contract, FreshnessSession session) {
        DatabaseState now = this.routing.state();
        return this.routing.decide(contract, session, null, now, System.nanoTime(), 0);
    }

    private void predict(
            Lease lease, FreshnessContract contract, FreshnessSession session, RoutingDecision decision, long nanos) {
        WriterFallbackBudget.Permit permit = null;
        RoutingDecision withoutWait = decision;
        if (decision.outcome() == Outcome.WRITER_FALLBACK) {
            permit = this.wouldBe.tryAcquire(contract.priority());
            if (permit == null) {
                withoutWait = RoutingDecision.rejected(Reason.FALLBACK_EXHAUSTED);
            } else {
                lease.spend(permit);
            }
        }
        predict(new Read(contract, session, withoutWait, permit), decision, nanos, 0);
    }

    private void predict(Read read, RoutingDecision decision, long nanos, int waits) {
        long begun = System.nanoTime();
        boolean noted = waits < UnitRouting.MOST_WAITS
                && this.catchUp.note(
                        read.contract(),
                        read.session(),
                        decision,
                        nanos,
                        outcome -> waited(read, outcome, nanos - (System.nanoTime() - begun), waits + 1));
        if (!noted) {
            this.log.predicted(read.contract(), read.session(), read.withoutWait());
        }
    }

    private void waited(Read read, WaitOutcome outcome, long left, int waits) {
        if (outcome != WaitOutcome.REACHED) {
            this.log.predicted(read.contract(), read.session(), read.withoutWait());
            return;
        }
        RoutingDecision decision = decide(read.contract(), read.session());
        if (!decision.isReplica()) {
            predict(read, decision, left, waits);
            return;
        }
        if (read.permit() != null) {
            read.permit().release();
        }
        this.log.predicted(read.contract(), read.session(), decision.afterWait());
    }

    /**
     * A read whose end is not known yet.
     *
     * @param withoutWait what becomes of it if no replica comes in time
     * @param permit what allows it to be on the writer meanwhile
     */
    private record Read(
            FreshnessContract contract,
            FreshnessSession session,
            RoutingDecision withoutWait,
            WriterFallbackBudget.@Nullable Permit permit) {}
}
