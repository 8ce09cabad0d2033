/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.aop.DeclaredContract;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.routing.Rollout;
import dev.freshness.topology.ReplicaState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@code /actuator/freshness}: the nodes with their roles and positions, and which replicas are eligible or why not; below
 * it the contracts that were found, the newest decisions and the report on enforcing contracts. Where access to the endpoint is
 * unrestricted it also takes replicas out of rotation, and changes for how many sessions contracts are enforced.
 *
 * <p>Answers come from the last observations; no server is asked. What it changes holds for this instance, until its next
 * start. Thread-safe.
 */
@Endpoint(id = "freshness", defaultAccess = Access.READ_ONLY)
public final class FreshnessEndpoint {

    private static final Logger logger = LoggerFactory.getLogger(FreshnessEndpoint.class);

    private static final Duration OUT_IF_NOT_SAID = Duration.ofHours(1);

    private static final Duration LONGEST_OUT = Duration.ofDays(30);

    private static final int LONGEST_REASON = 200;

    private final Map<String, FreshnessDatabase> databases;

    private final FreshnessContract eventual;

    private final Supplier<List<DeclaredContract>> contracts;

    private final RecentDecisions decisions;

    private final ContractCounts counts;

    private final Rollout rollout;

    private final RolloutThresholds thresholds;

    /**
     * Creates the endpoint.
     *
     * @param databases the databases to report on
     * @param eventual the contract that replicas are held against
     * @param contracts the contracts found in the application so far
     * @param decisions the newest decisions
     * @param counts what becomes of the reads under each contract
     * @param rollout for which sessions contracts are enforced
     * @param thresholds what enforcing them may come to
     */
    public FreshnessEndpoint(
            List<FreshnessDatabase> databases,
            FreshnessContract eventual,
            Supplier<List<DeclaredContract>> contracts,
            RecentDecisions decisions,
            ContractCounts counts,
            Rollout rollout,
            RolloutThresholds thresholds) {
        this.databases =
                databases.stream().collect(Collectors.toUnmodifiableMap(FreshnessDatabase::name, Function.identity()));
        this.eventual = eventual;
        this.contracts = contracts;
        this.decisions = decisions;
        this.counts = counts;
        this.rollout = rollout;
        this.thresholds = thresholds;
    }

    /**
     * Reports on all databases.
     *
     * @return the report
     */
    @ReadOperation
    public FreshnessDescriptor freshness() {
        return new FreshnessDescriptor(this.databases.values().stream()
                .collect(Collectors.toMap(
                        FreshnessDatabase::name,
                        database -> DatabaseReport.of(database, this.eventual).withAddresses(database))));
    }

    /**
     * One section: {@code contracts}, {@code decisions}, or {@code report}, which tells whether contracts can be enforced.
     *
     * @param section its name
     * @return the section, null if there is none of that name
     */
    @ReadOperation
    public @Nullable OperationResponseBody section(@Selector String section) {
        return switch (section) {
            case "contracts" ->
                new ContractsDescriptor(
                        this.contracts.get().stream().map(ContractReport::of).toList());
            case "decisions" -> decisions(this.decisions.newest());
            case "report" -> report();
            default -> null;
        };
    }

    /**
     * The decisions of one request or trace.
     *
     * @param section {@code decisions}
     * @param id the request or trace
     * @return what is kept of them, null if the section is another
     */
    @ReadOperation
    public @Nullable OperationResponseBody explain(@Selector String section, @Selector String id) {
        return section.equals("decisions") ? decisions(this.decisions.of(id)) : null;
    }

    private DecisionsDescriptor decisions(List<DecisionReport> newest) {
        return new DecisionsDescriptor(this.decisions.keep(), this.decisions.sample(), newest);
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
            throw invalid("percentage must be from 0 to 100, was " + percentage);
        }
        this.rollout.change(percentage);
        return Map.of("percentage", this.rollout.percentage());
    }

    /**
     * Takes a replica out of this instance's rotation: no unit begins on it. What runs on it goes on.
     *
     * @param database the database
     * @param replica the replica
     * @param reason why, for other operators; up to {@value #LONGEST_REASON} characters
     * @param duration for how long, an hour if not said; up to 30 days
     * @return the replica
     * @throws InvalidEndpointRequestException if there is none of that name, or if a value is not allowed
     */
    @WriteOperation
    public NodeReport takeOut(
            @Selector String database, @Selector String replica, String reason, @Nullable Duration duration) {
        Duration wanted = duration == null ? OUT_IF_NOT_SAID : duration;
        if (wanted.compareTo(Duration.ofSeconds(1)) < 0 || wanted.compareTo(LONGEST_OUT) > 0) {
            throw invalid("duration must be from 1s to 30d, was " + wanted);
        }
        String said = reason.replaceAll("\\p{Cntrl}", " ").strip();
        if (said.isEmpty() || said.length() > LONGEST_REASON) {
            throw invalid("reason must have from 1 to " + LONGEST_REASON + " characters");
        }
        FreshnessDatabase known = database(database);
        int index = index(known, replica);
        known.takenOut().takeOut(index, said, wanted, System.nanoTime());
        logger.warn("{} of database {} was taken out of rotation for {}: {}", replica, database, wanted, said);
        return node(known, replica);
    }

    /**
     * Puts a replica back into rotation.
     *
     * @param database the database
     * @param replica the replica
     * @return the replica
     * @throws InvalidEndpointRequestException if there is none of that name
     */
    @DeleteOperation
    public NodeReport putBack(@Selector String database, @Selector String replica) {
        FreshnessDatabase known = database(database);
        int index = index(known, replica);
        if (known.takenOut().putBack(index, System.nanoTime())) {
            logger.info("{} of database {} was put back into rotation", replica, database);
        }
        return node(known, replica);
    }

    private FreshnessDatabase database(String name) {
        FreshnessDatabase known = this.databases.get(name);
        if (known == null) {
            throw invalid("There is no such database; there are " + this.databases.keySet());
        }
        return known;
    }

    private static int index(FreshnessDatabase database, String replica) {
        List<String> names =
                database.state().replicas().stream().map(ReplicaState::name).toList();
        int index = names.indexOf(replica);
        if (index < 0) {
            throw invalid("There is no such replica; there are " + names);
        }
        return index;
    }

    private NodeReport node(FreshnessDatabase database, String name) {
        return Objects.requireNonNull(DatabaseReport.of(database, this.eventual)
                .withAddresses(database)
                .nodes()
                .get(name));
    }

    private static InvalidEndpointRequestException invalid(String message) {
        return new InvalidEndpointRequestException(message, message);
    }

    /**
     * What the endpoint answers.
     *
     * @param databases the databases by name
     */
    public record FreshnessDescriptor(Map<String, DatabaseReport> databases) implements OperationResponseBody {}

    /**
     * The contracts found in the application.
     *
     * @param contracts by class and method; those of lazy beans come with the beans
     */
    public record ContractsDescriptor(List<ContractReport> contracts) implements OperationResponseBody {}

    /**
     * The newest decisions.
     *
     * @param keep how many are kept; 0 if {@code freshness.decisions.keep} is not set
     * @param sample which share of them is kept
     * @param decisions what is kept, the newest first
     */
    public record DecisionsDescriptor(int keep, double sample, List<DecisionReport> decisions)
            implements OperationResponseBody {}
}
