/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessMode;
import dev.freshness.aop.ContractOverrides;
import dev.freshness.routing.ReplicaChoice;
import dev.freshness.routing.ReplicaChoice.Strategy;
import dev.freshness.routing.RoutingSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class FreshnessPropertiesTests {

    private final StandardEnvironment environment = new StandardEnvironment();

    private FreshnessProperties bind(Map<String, Object> file, Map<String, Object> variables) {
        this.environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
        this.environment.getPropertySources().addLast(new MapPropertySource("file", file));
        ConfigurationPropertySources.attach(this.environment);
        return Binder.get(this.environment).bindOrCreate("freshness", FreshnessProperties.class);
    }

    @Test
    void oneSecretCanComeFromTheEnvironment() {
        FreshnessProperties properties = bind(
                Map.of("freshness.replicas.replica-1.url", "jdbc:x", "freshness.replicas.replica-2.url", "jdbc:y"),
                Map.of("FRESHNESS_REPLICAS_REPLICA1_PASSWORD", "secret"));
        assertThat(properties.replicas()).containsOnlyKeys("replica-1", "replica-2");
        assertThat(properties.replicas().get("replica-1").password()).isEqualTo("secret");
        assertThat(properties.replicas().get("replica-2").password()).isNull();
    }

    @Test
    void aVariableChangesOneFieldOfAContractThatAFileChanges() {
        FreshnessProperties properties = bind(
                Map.of(
                        "freshness.contracts.ProfileService.loadAll.max-staleness", "5s",
                        "freshness.contracts.ProfileService.loadAll.mode", "eventual"),
                Map.of("FRESHNESS_CONTRACTS_PROFILESERVICE_LOADALL_MODE", "authoritative_now"));
        ContractOverrides overrides = new ContractOverrides(properties.contracts());
        // Whichever of the two names comes first, both speak of the same method.
        assertThat(properties.contracts().values().stream().flatMap(methods -> methods.values().stream()))
                .isNotEmpty()
                .allMatch(override -> override.mode() == FreshnessMode.AUTHORITATIVE_NOW);
        assertThat(overrides.unused()).hasSize(1);
    }

    @Test
    void routingIsToldOfZonesWeightsAndTheLifeOfFloors() {
        FreshnessProperties properties = bind(
                Map.of(
                        "freshness.zone", "north",
                        "freshness.replica-choice", "round-robin",
                        "freshness.token.ttl", "5m",
                        "freshness.replicas.a.url", "jdbc:a",
                        "freshness.replicas.a.zone", "south",
                        "freshness.replicas.b.url", "jdbc:b",
                        "freshness.replicas.b.zone", "north",
                        "freshness.replicas.b.weight", "3",
                        "freshness.replicas.c.url", "jdbc:c"),
                Map.of());
        List<String> names = List.copyOf(properties.replicas().keySet());
        RoutingSettings routing = properties.routing(10);
        assertThat(routing.floorLife()).isEqualTo(Duration.ofSeconds(270));
        assertThat(routing.choice().strategy()).isEqualTo(Strategy.ROUND_ROBIN);
        assertThat(routing.choice().sameZone()).isEqualTo(1L << names.indexOf("b"));
        assertThat(routing.choice().weights())
                .isEqualTo(names.stream().map(name -> name.equals("b") ? 3 : 1).toList());
    }

    @Test
    void withoutAZoneNoReplicaIsNear() {
        RoutingSettings routing =
                bind(Map.of("freshness.replicas.a.url", "jdbc:a"), Map.of()).routing(10);
        assertThat(routing.choice()).isEqualTo(new ReplicaChoice(Strategy.LEAST_LOADED, List.of(1), 0));
        assertThat(routing.floorLife()).isEqualTo(Duration.ofSeconds(570));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://host/db",
                "jdbc:tc:postgresql:18:///db",
                "jdbc:otel:postgresql://host/db",
                "jdbc:p6spy:postgresql://host/db",
                "jdbc:aws-wrapper:postgresql://host/db"
            })
    void aDriverMayBeWrapped(String url) {
        assertThat(bind(Map.of("freshness.replicas.a.url", url), Map.of()).replicas())
                .containsOnlyKeys("a");
    }

    @Test
    void secretsAreNotShown() {
        FreshnessProperties properties = bind(
                Map.of(
                        "freshness.replicas.replica-1.url", "jdbc:postgresql://host/db?password=secret",
                        "freshness.replicas.replica-1.password", "secret"),
                Map.of());
        assertThat(properties.toString()).contains("replica-1").doesNotContain("secret");
    }

    @Test
    void aReplicaPoolIsAsTheWritersButQuickToGiveUp() {
        FreshnessProperties properties = bind(
                Map.of(
                        "freshness.replicas.replica-1.url", "jdbc:postgresql://standby/db",
                        "freshness.replicas.replica-1.hikari.maximum-pool-size", "3",
                        "freshness.replicas.replica-2.url", "jdbc:postgresql://other/db",
                        "freshness.replicas.replica-2.username", "reader",
                        "freshness.replicas.replica-2.hikari.connection-timeout", "2000"),
                Map.of());
        try (HikariDataSource writer = new HikariDataSource()) {
            writer.setJdbcUrl("jdbc:postgresql://primary/db");
            writer.setUsername("app");
            writer.setPassword("secret");
            writer.setMaximumPoolSize(20);
            writer.setPoolName("writer");
            ReplicaPoolFactory factory = new ReplicaPoolFactory(properties, writer, this.environment);
            try (HikariDataSource first = factory.create("replica-1");
                    HikariDataSource second = factory.create("replica-2")) {
                assertThat(first.getJdbcUrl()).isEqualTo("jdbc:postgresql://standby/db");
                assertThat(first.getUsername()).isEqualTo("app");
                assertThat(first.getPassword()).isEqualTo("secret");
                assertThat(first.getPoolName()).isEqualTo("replica-1");
                assertThat(first.getMaximumPoolSize()).isEqualTo(3);
                assertThat(first.getConnectionTimeout()).isEqualTo(1000);
                assertThat(first.getInitializationFailTimeout()).isEqualTo(-1);
                assertThat(second.getUsername()).isEqualTo("reader");
                assertThat(second.getMaximumPoolSize()).isEqualTo(20);
                assertThat(second.getConnectionTimeout()).isEqualTo(2000);
            }
            assertThat(writer.getJdbcUrl()).isEqualTo("jdbc:postgresql://primary/db");
        }
    }
}
