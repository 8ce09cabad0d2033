/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.jdbc.FreshnessDatabase;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@code /actuator/freshness}: the nodes with their roles and positions, and which replicas are eligible or why not.
 * Answers come from the last observations; no server is asked. Thread-safe.
 */
@Endpoint(id = "freshness")
public final class FreshnessEndpoint {

    private final List<FreshnessDatabase> databases;

    private final FreshnessContract eventual;

    /**
     * Creates the endpoint.
     *
     * @param databases the databases to report on
     * @param eventual the contract that replicas are held against
     */
    public FreshnessEndpoint(List<FreshnessDatabase> databases, FreshnessContract eventual) {
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
