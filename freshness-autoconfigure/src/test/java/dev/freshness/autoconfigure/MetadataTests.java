/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metadata that IDEs read: every property is there, described, and the documentation names no other. */
class MetadataTests {

    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

    private static Map<String, JsonNode> properties() throws IOException {
        try (InputStream in = FreshnessProperties.class.getResourceAsStream(METADATA)) {
            Map<String, JsonNode> properties = new TreeMap<>();
            JsonMapper.shared()
                    .readTree(in)
                    .get("properties")
                    .forEach(property -> properties.put(property.get("name").asString(), property));
            return properties;
        }
    }

    @Test
    void everyPropertyIsThere() throws IOException {
        assertThat(properties())
                .containsOnlyKeys(
                        "freshness.contracts",
                        "freshness.decisions.correlation-keys",
                        "freshness.decisions.keep",
                        "freshness.decisions.sample",
                        "freshness.enforcement",
                        "freshness.jpa.stale-context",
                        "freshness.max-staleness",
                        "freshness.monitor.interval",
                        "freshness.monitor.observation-ttl",
                        "freshness.monitor.timeout",
                        "freshness.on-unmet",
                        "freshness.replica-choice",
                        "freshness.replicas",
                        "freshness.rerun-on-conflict",
                        "freshness.rollout.max-refusals",
                        "freshness.rollout.max-writer-share",
                        "freshness.rollout.percentage",
                        "freshness.token.audience",
                        "freshness.token.bind-to-principal",
                        "freshness.token.carry-reads",
                        "freshness.token.clock-allowance",
                        "freshness.token.keys",
                        "freshness.token.signing-key",
                        "freshness.token.ttl",
                        "freshness.wait-budget",
                        "freshness.web.cookie.domain",
                        "freshness.web.cookie.name",
                        "freshness.web.cookie.path",
                        "freshness.web.cookie.same-site",
                        "freshness.web.problem-details",
                        "freshness.web.token-transport",
                        "freshness.web.verdict-header",
                        "freshness.wrap",
                        "freshness.writer-fallback.max-concurrent",
                        "freshness.writer-fallback.max-wait",
                        "freshness.writer-fallback.reserve-for-high-priority",
                        "freshness.zone",
                        "management.endpoint.freshness.access",
                        "management.endpoint.freshness.cache.time-to-live",
                        "management.health.freshness.enabled");
    }

    @Test
    void everyPropertyIsDescribed() throws IOException {
        properties().forEach((name, property) -> {
            assertThat(property.has("description"))
                    .as("%s has a description", name)
                    .isTrue();
            assertThat(property.get("description").asString())
                    .as(name)
                    .endsWith(".")
                    .doesNotStartWith("The ")
                    .doesNotStartWith("A ");
        });
    }

    @Test
    void defaultsAreAsDocumented() throws IOException {
        Map<String, JsonNode> properties = properties();
        assertThat(properties.get("freshness.max-staleness").get("defaultValue").asString())
                .isEqualTo("30s");
        assertThat(properties.get("freshness.on-unmet").get("defaultValue").asString())
                .isEqualTo("writer");
        assertThat(properties
                        .get("freshness.monitor.interval")
                        .get("defaultValue")
                        .asString())
                .isEqualTo("100ms");
        assertThat(properties
                        .get("freshness.monitor.timeout")
                        .get("defaultValue")
                        .asString())
                .isEqualTo("1s");
        assertThat(properties
                        .get("freshness.monitor.observation-ttl")
                        .get("defaultValue")
                        .asString())
                .isEqualTo("2s");
    }
}
