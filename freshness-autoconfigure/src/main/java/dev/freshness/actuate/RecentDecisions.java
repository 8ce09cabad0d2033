/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessVerdict;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The newest decisions, each with the request or trace that it was of, as the logging context names it.
 *
 * <p>Guarantees bounded memory: so many decisions, and of each name no more than {@value #LONGEST_ID} characters. Of a request
 * all decisions are kept or none.
 *
 * <p>What it does when it cannot know: a decision whose logging context names neither is kept, but found under no id.
 *
 * <p>Thread-safe and free of locks.
 */
public final class RecentDecisions implements RoutingListener {

    /** Most decisions that can be kept. */
    public static final int MOST = 10_000;

    static final int LONGEST_ID = 64;

    private final AtomicReferenceArray<@Nullable Entry> entries;

    private final AtomicLong count = new AtomicLong();

    private final double sample;

    private final List<String> keys;

    /**
     * Creates it.
     *
     * @param keep how many to keep, from 0 to {@value #MOST}
     * @param sample which share of them, from 0 to 1
     * @param keys the keys of the logging context that name the request or trace
     */
    public RecentDecisions(int keep, double sample, List<String> keys) {
        this.entries = new AtomicReferenceArray<>(keep);
        this.sample = sample;
        this.keys = List.copyOf(keys);
    }

    @Override
    public void decided(String database, FreshnessContract contract, RoutingDecision decision, boolean enforced) {}

    @Override
    public void explained(Supplier<FreshnessVerdict> verdict, boolean enforced) {
        if (this.entries.length() == 0) {
            return;
        }
        Map<String, String> ids = ids();
        if (isSampled(ids)) {
            int slot = (int) (this.count.getAndIncrement() % this.entries.length());
            this.entries.set(slot, new Entry(Instant.now(), verdict, enforced, ids));
        }
    }

    private Map<String, String> ids() {
        Map<String, String> ids = new LinkedHashMap<>();
        for (String key : this.keys) {
            String value = MDC.get(key);
            if (value != null && !value.isEmpty()) {
                ids.put(key, value.length() > LONGEST_ID ? value.substring(0, LONGEST_ID) : value);
            }
        }
        return ids;
    }

    private boolean isSampled(Map<String, String> ids) {
        if (this.sample >= 1) {
            return true;
        }
        if (ids.isEmpty()) {
            return ThreadLocalRandom.current().nextDouble() < this.sample;
        }
        // Ids that differ little must not be kept or left out together.
        int hash = ids.values().iterator().next().hashCode() * 0x9E3779B9;
        return (hash >>> 1) / (double) Integer.MAX_VALUE < this.sample;
    }

    /** What is kept, the newest first. */
    List<DecisionReport> newest() {
        List<DecisionReport> newest = new ArrayList<>();
        long next = this.count.get();
        for (long i = next - 1; i >= Math.max(0, next - this.entries.length()); i--) {
            Entry entry = this.entries.get((int) (i % this.entries.length()));
            if (entry != null) {
                newest.add(DecisionReport.of(entry.at(), entry.verdict().get(), entry.enforced(), entry.ids()));
            }
        }
        return newest;
    }

    /** What is kept of a request or trace, the newest first. */
    List<DecisionReport> of(String id) {
        String shown = id.length() > LONGEST_ID ? id.substring(0, LONGEST_ID) : id;
        return newest().stream()
                .filter(decision -> decision.ids().containsValue(shown))
                .toList();
    }

    int keep() {
        return this.entries.length();
    }

    double sample() {
        return this.sample;
    }

    private record Entry(Instant at, Supplier<FreshnessVerdict> verdict, boolean enforced, Map<String, String> ids) {}
}
