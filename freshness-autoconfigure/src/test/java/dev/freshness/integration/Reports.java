/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.RerunOnConflict;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A user's service whose methods read twice; what happens between the two reads is up to the test. */
class Reports {

    private final JdbcClient jdbc;

    private final AtomicInteger runs = new AtomicInteger();

    private volatile Step between = (run, first) -> {};

    Reports(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    public void prepare(Step step) {
        this.runs.set(0);
        this.between = step;
    }

    public int runs() {
        return this.runs.get();
    }

    private List<Where> read(int id) {
        int run = this.runs.incrementAndGet();
        Where first = Where.read(this.jdbc, id);
        this.between.happens(run, first);
        return List.of(first, Where.read(this.jdbc, id));
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public List<Where> twice(int id) {
        return read(id);
    }

    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    @Transactional(readOnly = true, propagation = Propagation.REQUIRES_NEW)
    public List<Where> twiceInNewTransaction(int id) {
        return read(id);
    }

    @Freshness(value = FreshnessMode.READ_YOUR_WRITES, scope = "'item:' + #id")
    @Transactional(readOnly = true, propagation = Propagation.REQUIRES_NEW)
    public List<Where> twiceOfOne(int id) {
        return read(id);
    }

    /** The second read is the last thing in the transaction but its commit. */
    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true)
    public Where once(int id) {
        int run = this.runs.incrementAndGet();
        Where where = Where.read(this.jdbc, id);
        this.between.happens(run, where);
        return where;
    }

    /** Business code that has exceptions of its own. */
    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true)
    public List<Where> twiceWrapped(int id) throws ReportException {
        try {
            return read(id);
        } catch (RuntimeException ex) {
            throw new ReportException(ex);
        }
    }

    @Freshness(value = FreshnessMode.EVENTUAL, rerunOnConflict = RerunOnConflict.FALSE)
    @Transactional(readOnly = true)
    public List<Where> twiceNeverAgain(int id) {
        return read(id);
    }

    @Freshness(value = FreshnessMode.EVENTUAL, onUnmet = OnUnmet.REJECT)
    @Transactional(readOnly = true)
    public List<Where> twiceOrReject(int id) {
        return read(id);
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true)
    public Stream<Where> twiceAsStream(int id) {
        return read(id).stream();
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true)
    public List<Where> twiceWithCallback(int id, Consumer<Where> rows) {
        return read(id);
    }

    /** Happens between two reads. */
    interface Step {

        void happens(int run, Where first);
    }

    static class ReportException extends Exception {

        ReportException(Throwable cause) {
            super(cause);
        }
    }
}
