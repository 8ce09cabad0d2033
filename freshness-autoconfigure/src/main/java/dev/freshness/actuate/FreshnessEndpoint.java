/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.routing.Rollout;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@code /actuator/freshness}: the nodes with their roles and positions, and which replicas are eligible or why not.
 * Answers come from the last observations; no server is asked. Thread-safe.
 */
@Endpoint(id = "freshness", defaultAccess = Access.READ_ONLY)
public final class FreshnessEndpoint {

    private final List<FreshnessDatabase> databases;

    private final FreshnessContract eventual;

    private final ContractCounts counts;

    private final Rollout rollout;

    private final RolloutThresholds thresholds;

    /**
     * Creates the endpoint.
     *
     * @param databases the databases to report on
     * @param eventual the contract that replicas are held against
     * @param counts what becomes of the reads under each contract
     * @param rollout for which sessions contracts are enforced
     * @param thresholds what enforcing them may come to
     */
    public FreshnessEndpoint(
            List<FreshnessDatabase> databases,
            FreshnessContract eventual,
            ContractCounts counts,
            Rollout rollout,
            RolloutThresholds thresholds) {
        this.counts = counts;
        this.rollout = rollout;
        this.thresholds = thresholds;
        this.databases = List.copyOf(databases);
        this.eventual = eventual;
    }

    /**
     * Reports on all databases.
     *
     * @return the report
     */
    @ReadOperation
    public FreshnessDescriptor freshness() {
        return new FreshnessDescriptor(
                this.databases.stream().collect(Collectors.toMap(FreshnessDatabase::name, report(this.eventual))));
    }

    /**
     * One section: {@code report} tells whether contracts can be enforced.
     *
     * @param section its name
     * @return the section, null if there is none of that name
     */
    @ReadOperation
    public @Nullable RolloutReport section(@Selector String section) {
        return section.equals("report") ? report() : null;
    }

    /**
     * What enforcing contracts comes to, and would have come to.
     *
     * @return the report on what was counted so far
     */
    public RolloutReport report() {
        return RolloutReport.of(this.counts, this.rollout.percentage(), this.thresholds);
    }

    /**
     * Changes for how many sessions contracts are enforced, until the next start of this instance.
     *
     * @param percentage of a hundred, from 0 to 100
     * @return what it is now
     */
    @WriteOperation
    public Map<String, Integer> rollout(int percentage) {
        if (percentage < 0 || percentage > 100) {
            throw new InvalidEndpointRequestException(
                    "percentage must be from 0 to 100, was " + percentage, "A percentage must be from 0 to 100");
        }
        this.rollout.change(percentage);
        return Map.of("percentage", this.rollout.percentage());
    }

    private static Function<FreshnessDatabase, DatabaseReport> report(FreshnessContract eventual) {
        return database -> DatabaseReport.of(database, eventual);
    }

    /**
     * What the endpoint answers.
     *
     * @param databases the databases by name
     */
    public record FreshnessDescriptor(Map<String, DatabaseReport> databases) implements OperationResponseBody {}
}
