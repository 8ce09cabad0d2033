/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import org.springframework.test.context.DynamicPropertyRegistry;

/** Hands the addresses of a cluster to a Spring test. Not needed in a class with {@link ReplicatedPostgresTest}. */
public final class ReplicatedPostgresProperties {

    private ReplicatedPostgresProperties() {}

    /**
     * Registers {@link ReplicatedPostgres#properties()}, to be called from a {@code @DynamicPropertySource} method.
     *
     * @param registry the registry of that method
     * @param postgres a running cluster
     */
    public static void register(DynamicPropertyRegistry registry, ReplicatedPostgres postgres) {
        postgres.properties().forEach((name, value) -> registry.add(name, () -> value));
    }
}
