/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.token.TokenKeys;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.StandbyObservation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * The {@code freshness} health component: each database's nodes as last observed.
 *
 * <p>Replicas are optional capacity. They make the component say {@code degraded}, never DOWN. DOWN means that the writer
 * was last seen in recovery or could not be reached; UNKNOWN that it was not observed yet or not lately.
 */
public final class FreshnessHealthIndicator extends AbstractHealthIndicator {

    private final List<FreshnessDatabase> databases;

    private final FreshnessContract eventual;

    private final @Nullable TokenKeys keys;

    /**
     * Creates the indicator.
     *
     * @param databases the databases to report on
     * @param eventual the contract that replicas are held against
     * @param keys what tokens are signed with, null if there are none
     */
    public FreshnessHealthIndicator(
            List<FreshnessDatabase> databases, FreshnessContract eventual, @Nullable TokenKeys keys) {
        super("Freshness health check failed");
        this.databases = List.copyOf(databases);
        this.eventual = eventual;
        this.keys = keys;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Status status = Status.UP;
        boolean degraded = false;
        for (FreshnessDatabase database : this.databases) {
            DatabaseReport report = DatabaseReport.of(database, this.eventual);
            degraded |= report.nodes().values().stream().anyMatch(node -> Boolean.FALSE.equals(node.eligible()));
            status = worse(status, writerStatus(database.state()));
            builder.withDetail(database.name(), report.nodes());
        }
        builder.status(status).withDetail("degraded", degraded);
        if (this.keys != null) {
            builder.withDetail("tokenKeys", this.keys.isRandom() ? "random" : "configured");
        }
    }

    private static Status writerStatus(DatabaseState state) {
        if (state.replicas().isEmpty()) {
            // Nothing is monitored, so there is nothing to say that the db component does not say.
            return Status.UP;
        }
        NodeObservation writer = state.writer();
        if (!state.isLive(writer, System.nanoTime())) {
            return Status.UNKNOWN;
        }
        return writer instanceof StandbyObservation || writer instanceof FailedObservation ? Status.DOWN : Status.UP;
    }

    private static Status worse(Status one, Status other) {
        if (one.equals(Status.DOWN) || other.equals(Status.DOWN)) {
            return Status.DOWN;
        }
        return one.equals(Status.UNKNOWN) ? one : other;
    }
}
