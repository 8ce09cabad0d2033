/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.handover.TokenListener;
import dev.freshness.jdbc.CommitOutcome;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.monitor.ProbeListener;
import dev.freshness.routing.Outcome;
import dev.freshness.routing.Reason;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import dev.freshness.routing.WaitOutcome;
import dev.freshness.token.TokenResult;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.ReplicaState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The meters of decisions, waits, commits, probes and replicas. Every tag has a small, fixed set of values.
 *
 * <p>Decisions are counted without a registry at hand, since counting happens on the hot path and registries may come
 * late. Thread-safe.
 */
public final class FreshnessMeters
        implements MeterBinder, RoutingListener, ProbeListener, WriteListener, TokenListener {

    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

    private final ConcurrentMap<String, ConcurrentMap<Decision, LongAdder>> decisions = new ConcurrentHashMap<>();

    private final ConcurrentMap<String, CommitTimers> commits = new ConcurrentHashMap<>();

    private final Map<TokenResult, LongAdder> tokens = new EnumMap<>(TokenResult.class);

    private final Iterable<FreshnessDatabase> databases;

    private final FreshnessContract eventual;

    /**
     * Creates the meters.
     *
     * @param databases the databases to report on, asked for when a registry is bound
     * @param eventual the contract that replicas are held against
     */
    public FreshnessMeters(Iterable<FreshnessDatabase> databases, FreshnessContract eventual) {
        this.eventual = eventual;
        this.databases = databases;
        for (TokenResult result : TokenResult.values()) {
            this.tokens.put(result, new LongAdder());
        }
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        this.registries.add(registry);
        this.decisions.forEach((database, counts) ->
                counts.forEach((decision, count) -> register(registry, database, decision, count)));
        this.tokens.forEach(
                (result, count) -> FunctionCounter.builder("freshness.tokens", count, LongAdder::doubleValue)
                        .description("Tokens of clients, by what became of them")
                        .tag("result", result.tag())
                        .register(registry));
        for (FreshnessDatabase database : this.databases) {
            registerFallbacks(registry, database);
            List<ReplicaState> replicas = database.state().replicas();
            for (int i = 0; i < replicas.size(); i++) {
                registerGauges(registry, database, replicas.get(i).name(), i);
            }
        }
    }

    private static void registerFallbacks(MeterRegistry registry, FreshnessDatabase database) {
        Gauge.builder(
                        "freshness.writer.fallback.active",
                        database,
                        one -> one.fallbacks().active())
                .description("Reads that run on the writer because no replica met their contract")
                .tag("database", database.name())
                .register(registry);
        FunctionCounter.builder(
                        "freshness.writer.fallback.rejected",
                        database,
                        one -> one.fallbacks().rejected())
                .description("Reads that were refused because too many ran on the writer already")
                .tag("database", database.name())
                .register(registry);
    }

    private void registerGauges(MeterRegistry registry, FreshnessDatabase database, String node, int replica) {
        Gauge.builder("freshness.replica.lag.bytes", database, one -> lagBytes(one.state(), replica))
                .description("Bytes of WAL that a replica has yet to replay")
                .baseUnit(BaseUnits.BYTES)
                .tag("database", database.name())
                .tag("node", node)
                .register(registry);
        Gauge.builder("freshness.replica.eligible", database, one -> one.unmet(replica, this.eventual) == null ? 1 : 0)
                .description("Whether a replica meets an EVENTUAL contract with the application's defaults")
                .tag("database", database.name())
                .tag("node", node)
                .register(registry);
        Gauge.builder("freshness.replica.staleness", database, one -> staleness(one.state(), replica))
                .description("How old an answer of a replica can be at most")
                .baseUnit("seconds")
                .tag("database", database.name())
                .tag("node", node)
                .register(registry);
    }

    private static double lagBytes(DatabaseState state, int replica) {
        Long bytes = NodeReport.lagBytes(state, state.replicas().get(replica));
        return bytes == null ? Double.NaN : bytes;
    }

    private static double staleness(DatabaseState state, int replica) {
        long nanos = state.replicas().get(replica).stalenessBound(System.nanoTime());
        return nanos == ReplicaState.UNKNOWN_STALENESS ? Double.NaN : nanos / 1e9;
    }

    @Override
    public void decided(String database, FreshnessContract contract, RoutingDecision decision, boolean enforced) {
        ConcurrentMap<Decision, LongAdder> counts = this.decisions.get(database);
        LongAdder count = counts == null
                ? null
                : counts.get(new Decision(contract.mode(), decision.outcome(), decision.reason()));
        if (count == null) {
            count = newCount(database, new Decision(contract.mode(), decision.outcome(), decision.reason()));
        }
        count.increment();
    }

    private synchronized LongAdder newCount(String database, Decision decision) {
        ConcurrentMap<Decision, LongAdder> counts =
                this.decisions.computeIfAbsent(database, key -> new ConcurrentHashMap<>());
        @Nullable LongAdder known = counts.get(decision);
        if (known != null) {
            return known;
        }
        LongAdder count = new LongAdder();
        counts.put(decision, count);
        this.registries.forEach(registry -> register(registry, database, decision, count));
        return count;
    }

    private static void register(MeterRegistry registry, String database, Decision decision, LongAdder count) {
        FunctionCounter.builder("freshness.decisions", count, LongAdder::doubleValue)
                .description("Units under a contract, by where they went and why")
                .tag("database", database)
                .tag("mode", decision.mode().name().toLowerCase(Locale.ROOT))
                .tag("outcome", decision.outcome().tag())
                .tag("reason", decision.reason().tag())
                .register(registry);
    }

    @Override
    public void probed(String database, String node, NodeObservation observation, long nanos) {
        for (MeterRegistry registry : this.registries) {
            Timer.builder("freshness.probes")
                    .description("Probes of a node's position")
                    .tag("database", database)
                    .tag("node", node)
                    .tag("outcome", observation instanceof FailedObservation ? "failure" : "success")
                    .register(registry)
                    .record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void waited(String database, WaitOutcome outcome, long nanos) {
        for (MeterRegistry registry : this.registries) {
            Timer.builder("freshness.wait")
                    .description("Waits for a replica to reach a client's own writes")
                    .tag("database", database)
                    .tag("outcome", outcome.tag())
                    .register(registry)
                    .record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void recoveryConflict(String database, String node, boolean terminated) {
        for (MeterRegistry registry : this.registries) {
            Counter.builder("freshness.recovery.conflicts")
                    .description("Reads that a replica stopped because they were in the way of replay")
                    .tag("database", database)
                    .tag("node", node)
                    .tag("outcome", terminated ? "terminated" : "canceled")
                    .register(registry)
                    .increment();
        }
    }

    @Override
    public void reran(String database, Reason reason, boolean succeeded) {
        for (MeterRegistry registry : this.registries) {
            Counter.builder("freshness.reruns")
                    .description("Methods that were run again on the writer after a replica stopped their transaction")
                    .tag("database", database)
                    .tag("reason", reason.tag())
                    .tag("outcome", succeeded ? "success" : "failure")
                    .register(registry)
                    .increment();
        }
    }

    @Override
    public void committed(String database, CommitOutcome outcome, long nanos) {
        this.commits.computeIfAbsent(database, CommitTimers::new).record(this.registries, outcome, nanos);
    }

    @Override
    public void committedWithoutSession(String database) {
        for (MeterRegistry registry : this.registries) {
            Counter.builder("freshness.commit.without.session")
                    .description(
                            "Transactions committed on the writer that no session, and so no client's reads, know of")
                    .tag("database", database)
                    .register(registry)
                    .increment();
        }
    }

    @Override
    public void wroteUnderContract(String database, FreshnessContract contract) {
        for (MeterRegistry registry : this.registries) {
            Counter.builder("freshness.write.under.contract")
                    .description("Auto-commit statements under a contract that changed data")
                    .tag("database", database)
                    .tag("mode", contract.mode().name().toLowerCase(Locale.ROOT))
                    .register(registry)
                    .increment();
        }
    }

    @Override
    public void token(TokenResult result) {
        Objects.requireNonNull(this.tokens.get(result)).increment();
    }

    private record Decision(FreshnessMode mode, Outcome outcome, Reason reason) {}
}
