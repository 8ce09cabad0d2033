/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessVerdict;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One observation named {@value #NAME} for each transaction under a contract, and for each contract's scope without one, so
 * that a trace shows beside each other what an answer had to include, what the node was last seen at, how old that was, and
 * what was chosen. It lasts from the first statement until its connection is there: waits and queues are in it, the work is not.
 *
 * <p>What it does when it cannot know: values are {@code none}. Nothing is observed, and nothing made for it, without a
 * registry that does something.
 *
 * <p>Thread-safe. {@code management.observations.enable.freshness=false} switches it off.
 */
public final class ReadObservations implements RoutingListener {

    /** The name of the observations. */
    public static final String NAME = "freshness.read";

    private static final String NONE = KeyValue.NONE_VALUE;

    private final Supplier<ObservationRegistry> registry;

    /**
     * Creates it.
     *
     * @param registry where to observe, asked for with the first read
     */
    public ReadObservations(Supplier<ObservationRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public void decided(String database, FreshnessContract contract, RoutingDecision decision, boolean enforced) {}

    @Override
    public boolean traces() {
        return !this.registry.get().isNoop();
    }

    @Override
    public Trace begins(String database, FreshnessContract contract) {
        Observation observation = Observation.createNotStarted(NAME, this.registry.get())
                .contextualName("freshness read")
                .lowCardinalityKeyValue("database", database)
                .lowCardinalityKeyValue("mode", contract.mode().name().toLowerCase(Locale.ROOT))
                .highCardinalityKeyValue("contract", contract.declaredBy())
                .start();
        return (verdict, failure) -> {
            if (failure != null) {
                observation.error(failure);
            }
            describe(observation, verdict);
            observation.stop();
        };
    }

    private static void describe(Observation observation, @Nullable FreshnessVerdict verdict) {
        observation
                .lowCardinalityKeyValue("outcome", verdict == null ? NONE : verdict.outcome())
                .lowCardinalityKeyValue("reason", verdict == null ? NONE : verdict.reason())
                .lowCardinalityKeyValue("node", verdict == null ? NONE : orNone(verdict.node()))
                .lowCardinalityKeyValue(
                        "met", verdict == null ? NONE : Boolean.toString(DecisionReport.isMet(verdict)));
        if (verdict != null) {
            observation
                    .highCardinalityKeyValue(
                            "required.position",
                            verdict.floorKnown()
                                    ? orNone(
                                            verdict.floor() == null
                                                    ? null
                                                    : verdict.floor().lsn())
                                    : "unknown")
                    .highCardinalityKeyValue(
                            "observed.position",
                            orNone(
                                    verdict.observed() == null
                                            ? null
                                            : verdict.observed().lsn()))
                    .highCardinalityKeyValue(
                            "observed.age",
                            orNone(
                                    verdict.observedAge() == null
                                            ? null
                                            : verdict.observedAge().toMillis() + "ms"));
        }
    }

    private static String orNone(@Nullable Object value) {
        return value == null ? NONE : value.toString();
    }
}
