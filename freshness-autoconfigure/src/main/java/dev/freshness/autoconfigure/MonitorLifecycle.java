/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.topology.ReplicaState;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the monitor with the application context and before anything that serves requests. Where a test has put another
 * data source in the place of the routed one, nothing is started.
 */
final class MonitorLifecycle implements SmartLifecycle {

    private static final Logger logger = LoggerFactory.getLogger(MonitorLifecycle.class);

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
            sayWhatIsRouted();
        }
    }

    private void sayWhatIsRouted() {
        List<String> replicas = this.database.state().replicas().stream()
                .map(ReplicaState::name)
                .toList();
        if (replicas.isEmpty()) {
            logger.info(
                    "No replicas are configured: every contract on database {} is met by the writer",
                    this.database.name());
        } else {
            logger.info(
                    "Contracts on database {} are enforced with {} and the configured replicas {}",
                    this.database.name(),
                    this.database.writerName(),
                    String.join(", ", replicas));
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
