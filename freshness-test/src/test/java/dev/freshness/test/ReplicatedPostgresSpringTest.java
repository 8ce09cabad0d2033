/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedPostgresSpringTest.Empty.class,
        properties = {
            "spring.main.banner-mode=off",
            "spring.datasource.username=own",
            "freshness.replicas.extra.url=own"
        })
class ReplicatedPostgresSpringTest {

    private static final Map<String, Object> REGISTERED = new HashMap<>();

    @Autowired
    private Environment environment;

    @Autowired
    private ApplicationContext context;

    @Configuration(proxyBeanMethods = false)
    static class Empty {}

    @DynamicPropertySource
    static void register(DynamicPropertyRegistry registry) {
        try (ReplicatedPostgres own = ReplicatedPostgres.start(0)) {
            ReplicatedPostgresProperties.register(
                    (name, value) -> {
                        registry.add("copy." + name, value);
                        REGISTERED.put("copy." + name, value.get());
                    },
                    own);
        }
    }

    @Test
    void contextKnowsTheAddressesUnlessTheTestSaysOtherwise(ReplicatedPostgres postgres) {
        assertThat(environment.getProperty("spring.datasource.url"))
                .isEqualTo(postgres.primary().jdbcUrl());
        assertThat(environment.getProperty("spring.datasource.password")).isEqualTo("postgres");
        assertThat(environment.getProperty("spring.datasource.username")).isEqualTo("own");
        assertThat(environment.getProperty("freshness.replicas.extra.url")).isEqualTo("own");
        for (PostgresNode replica : postgres.replicas()) {
            assertThat(environment.getProperty("freshness.replicas." + replica.name() + ".url"))
                    .isEqualTo(replica.jdbcUrl());
        }
        assertThat(ReplicatedPostgresContextCustomizer.clusterOf(context)).isSameAs(postgres);
    }

    @Test
    void registersPropertiesOfAClusterOfOnesOwn() {
        assertThat(REGISTERED).hasSize(3);
        REGISTERED.forEach(
                (name, value) -> assertThat(environment.getProperty(name)).isEqualTo(value));
    }
}
