/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** A context is cached as long as its cluster lives, and no longer. */
@ExtendWith(ReplacedClusterSpringTest.NothingIsLeft.class)
@ReplicatedPostgresTest(replicas = 1, shared = false)
@SpringJUnitConfig(ReplacedClusterSpringTest.Empty.class)
@TestMethodOrder(OrderAnnotation.class)
class ReplacedClusterSpringTest {

    private static ConfigurableApplicationContext last;
    private static ReplicatedPostgres lastCluster;

    private final ConfigurableApplicationContext context;

    @Autowired
    private ConfigurableApplicationContext field;

    ReplacedClusterSpringTest(@Autowired ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Registered first, so that it looks last. */
    static class NothingIsLeft implements AfterAllCallback {

        @Override
        public void afterAll(ExtensionContext context) {
            assertThat(last.isActive()).isFalse();
            assertThat(lastCluster.primary().isRunning()).isFalse();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Empty {}

    @Test
    @Order(1)
    void first(ReplicatedPostgres postgres) {
        check(postgres);
        postgres.replica("replica-1").pauseReplay();
        last = context;
    }

    @Test
    @Order(2)
    void secondSharesTheContext(ReplicatedPostgres postgres) {
        check(postgres);
        assertThat(context).isSameAs(last);
        postgres.replica("replica-1").promote();
    }

    @Test
    @Order(3)
    void thirdHasANewOneAfterThePromotion(ReplicatedPostgres postgres) {
        check(postgres);
        assertThat(context).isNotSameAs(last);
        assertThat(last.isActive()).isFalse();
        // Behind the library's back, so that only the next reset can see it.
        postgres.replica("replica-1").execute("SELECT pg_promote()");
        last = context;
    }

    @Test
    @Order(4)
    void fourthHasANewOneInItsFields(ReplicatedPostgres postgres) {
        assertThat(last.isActive()).isFalse();
        last = field;
        lastCluster = postgres;
        assertThat(last.isActive()).isTrue();
        assertThat(lastCluster.primary().isRunning()).isTrue();
        assertThat(last.getEnvironment().getProperty("spring.datasource.url"))
                .isEqualTo(postgres.primary().jdbcUrl());
    }

    private void check(ReplicatedPostgres postgres) {
        assertThat(context.isActive()).isTrue();
        assertThat(context.getEnvironment().getProperty("spring.datasource.url"))
                .isEqualTo(postgres.primary().jdbcUrl());
        assertThat(context.getEnvironment().getProperty("freshness.replicas.replica-1.url"))
                .isEqualTo(postgres.replica("replica-1").jdbcUrl());
    }
}
