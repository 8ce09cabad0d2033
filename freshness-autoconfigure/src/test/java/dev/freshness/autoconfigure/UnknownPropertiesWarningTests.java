/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class UnknownPropertiesWarningTests {

    private static Set<String> unknown(Map<String, Object> file, Map<String, Object> variables) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
        environment.getPropertySources().addLast(new MapPropertySource("file", file));
        ConfigurationPropertySources.attach(environment);
        return UnknownPropertiesWarning.unknown(environment);
    }

    @Test
    void misspeltNamesAreFoundAtEveryDepth() {
        assertThat(unknown(
                        Map.of(
                                "freshness.max-stalness", "5s",
                                "freshness.monitor.intervall", "1s",
                                "freshness.replica.x.url", "jdbc:x",
                                "freshness.replicas.a.url", "jdbc:a",
                                "freshness.replicas.a.ulr", "jdbc:a",
                                "freshness.replicas.a.hikary.maximum-pool-size", "3"),
                        Map.of()))
                .containsExactly(
                        "freshness.max-stalness",
                        "freshness.monitor.intervall",
                        "freshness.replica.x.url",
                        "freshness.replicas.a.hikary.maximum-pool-size",
                        "freshness.replicas.a.ulr");
    }

    @Test
    void whatIsKnownIsNotNamedHoweverItIsWritten() {
        assertThat(unknown(
                        Map.of(
                                "freshness.maxStaleness", "5s",
                                "freshness.WAIT_BUDGET", "20ms",
                                "freshness.on-unmet", "reject",
                                "freshness.writer-fallback.max-concurrent", "3",
                                "freshness.replicas.replica-1.url", "jdbc:a",
                                "freshness.replicas.replica-1.zone", "north",
                                "freshness.replicas.replica-1.hikari.maximum-pool-size", "3",
                                "freshness.replicas[replica-2].url", "jdbc:b",
                                "freshness.replicas.replica-2.hikari.data-source-properties.ApplicationName", "shop",
                                "freshnessness.other", "3"),
                        Map.of()))
                .isEmpty();
    }

    @Test
    void environmentVariablesGiveNoFalseAlarm() {
        assertThat(unknown(
                        Map.of("freshness.replicas.replica-1.url", "jdbc:a"),
                        Map.of(
                                "FRESHNESS_REPLICAS_REPLICA1_PASSWORD", "secret",
                                "FRESHNESS_REPLICAS_REPLICA1_HIKARI_MAXIMUMPOOLSIZE", "3",
                                "FRESHNESS_MAX_STALENESS", "5s",
                                "FRESHNESS_HOME", "somewhere")))
                .isEmpty();
    }

    @Test
    void nothingIsSaidWhereBindingFails() {
        assertThat(unknown(Map.of("freshness.max-staleness", "soon", "freshness.other", "3"), Map.of()))
                .isEmpty();
    }
}
