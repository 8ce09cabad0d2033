/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.monitor.Awaited;
import dev.freshness.monitor.DatabaseWatch;
import dev.freshness.routing.WaitOutcome;
import dev.freshness.topology.DatabaseState;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The application's own observations for a data source that a test puts together. Nobody waits.
 *
 * @param newest the newest state
 * @param probed told of the nodes that were to be probed soon
 */
record StateOnly(Supplier<DatabaseState> newest, IntConsumer probed) implements DatabaseWatch {

    StateOnly(Supplier<DatabaseState> newest) {
        this(newest, node -> {});
    }

    @Override
    public DatabaseState state() {
        return this.newest.get();
    }

    @Override
    public void probeSoon(int node) {
        this.probed.accept(node);
    }

    @Override
    public WaitOutcome await(Awaited awaited, long nanos) {
        return awaited.isMet(state()) ? WaitOutcome.REACHED : WaitOutcome.ENDED;
    }

    @Override
    public void note(Awaited awaited, long nanos, Consumer<WaitOutcome> then) {
        then.accept(await(awaited, nanos));
    }
}
