/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.routing.Outcome;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts, for each method with a contract, what became of its reads and, where contracts are only observed, what would have.
 *
 * <p>Guarantees bounded memory: of more than {@value #MOST} contracts the later ones share one line. Counts since the start of
 * the application, or since {@link #reset}.
 *
 * <p>Thread-safe and free of locks.
 */
public final class ContractCounts implements RoutingListener, WriteListener {

    static final int MOST = 1000;

    /** The line of contracts beyond the limit. */
    static final String OTHERS = "others";

    private final ConcurrentMap<Key, Counts> counts = new ConcurrentHashMap<>();

    /** Creates it, with nothing counted. */
    public ContractCounts() {}

    @Override
    public void decided(String database, FreshnessContract contract, RoutingDecision decision, boolean enforced) {
        of(database, contract).count(decision.outcome(), enforced);
    }

    @Override
    public void wroteUnderContract(String database, FreshnessContract contract) {
        of(database, contract).writes.increment();
    }

    private Counts of(String database, FreshnessContract contract) {
        Key key = new Key(database, contract.declaredBy(), contract.mode());
        @Nullable Counts known = this.counts.get(key);
        if (known != null) {
            return known;
        }
        Key bounded = this.counts.size() < MOST ? key : new Key(database, OTHERS, contract.mode());
        return this.counts.computeIfAbsent(bounded, unused -> new Counts());
    }

    /** Forgets what was counted, for example before a workload that is to be measured. */
    public void reset() {
        this.counts.clear();
    }

    Map<Key, Counts> all() {
        return new TreeMap<>(this.counts);
    }

    /** A line. */
    record Key(String database, String contract, FreshnessMode mode) implements Comparable<Key> {

        @Override
        public int compareTo(Key other) {
            int byDatabase = this.database.compareTo(other.database);
            int byContract = byDatabase != 0 ? byDatabase : this.contract.compareTo(other.contract);
            return byContract != 0 ? byContract : this.mode.compareTo(other.mode);
        }
    }

    /** What was counted of a line. */
    static final class Counts {

        private final Map<Outcome, LongAdder> enforced = zeros();

        private final Map<Outcome, LongAdder> observed = zeros();

        private final LongAdder writes = new LongAdder();

        private static Map<Outcome, LongAdder> zeros() {
            Map<Outcome, LongAdder> zeros = new EnumMap<>(Outcome.class);
            for (Outcome outcome : Outcome.values()) {
                zeros.put(outcome, new LongAdder());
            }
            return zeros;
        }

        private void count(Outcome outcome, boolean isEnforced) {
            Objects.requireNonNull((isEnforced ? this.enforced : this.observed).get(outcome))
                    .increment();
        }

        RolloutReport.Reads enforced() {
            return reads(this.enforced);
        }

        RolloutReport.Reads observed() {
            return reads(this.observed);
        }

        long writes() {
            return this.writes.sum();
        }

        private static RolloutReport.Reads reads(Map<Outcome, LongAdder> counts) {
            return new RolloutReport.Reads(
                    sum(counts, Outcome.REPLICA) + sum(counts, Outcome.STALE),
                    sum(counts, Outcome.REPLICA_AFTER_WAIT),
                    sum(counts, Outcome.WRITER),
                    sum(counts, Outcome.WRITER_FALLBACK),
                    sum(counts, Outcome.REJECTED));
        }

        private static long sum(Map<Outcome, LongAdder> counts, Outcome outcome) {
            return Objects.requireNonNull(counts.get(outcome)).sum();
        }
    }
}
