/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the monitor with the application context and before anything that serves requests. Where a test has put another
 * data source in the place of the routed one, nothing is started.
 */
final class MonitorLifecycle implements SmartLifecycle {

    private final FreshnessDatabase database;

    private final ObjectProvider<FreshnessRoutingDataSource> routed;

    private volatile boolean running;

    MonitorLifecycle(FreshnessDatabase database, ObjectProvider<FreshnessRoutingDataSource> routed) {
        this.database = database;
        this.routed = routed;
    }

    @Override
    public void start() {
        if (this.routed.stream(ObjectProvider.UNFILTERED).findAny().isPresent()) {
            this.database.start();
            this.running = true;
        }
    }

    @Override
    public void stop() {
        this.running = false;
        this.database.stop();
    }

    @Override
    public boolean isRunning() {
        return this.running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE / 2;
    }
}
