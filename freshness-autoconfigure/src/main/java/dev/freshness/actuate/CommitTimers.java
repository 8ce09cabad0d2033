/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.jdbc.CommitOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/** The timers of one database's commits. They are looked up once, since commits are many. Thread-safe. */
final class CommitTimers {

    private final String database;

    private final ConcurrentMap<CommitOutcome, List<Timer>> timers = new ConcurrentHashMap<>();

    CommitTimers(String database) {
        this.database = database;
    }

    void record(List<MeterRegistry> registries, CommitOutcome outcome, long nanos) {
        List<Timer> known = this.timers.get(outcome);
        if (known == null || known.size() != registries.size()) {
            known = registries.stream()
                    .map(registry -> timer(registry, outcome))
                    .toList();
            this.timers.put(outcome, known);
        }
        for (Timer timer : known) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }

    private Timer timer(MeterRegistry registry, CommitOutcome outcome) {
        return Timer.builder("freshness.commit.capture")
                .description("Commits on the writer in a session, by what became of their position")
                .tag("database", this.database)
                .tag("outcome", outcome.tag())
                .register(registry);
    }
}
