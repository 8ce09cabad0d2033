/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import dev.freshness.test.ReplicatedPostgres;
import java.util.LinkedHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.Profiles;

/**
 * Starts a PostgreSQL primary and two standbys before the context, hands their addresses to it, and ends them with it.
 * Does nothing with the profile {@code external}.
 */
final class EmbeddedServers implements ApplicationContextInitializer<GenericApplicationContext> {

    /** The profile with which the service uses servers that are there already. */
    static final String EXTERNAL = "external";

    private static final String BEAN = "replicatedPostgres";

    private static final Logger logger = LoggerFactory.getLogger(EmbeddedServers.class);

    @Override
    public void initialize(GenericApplicationContext context) {
        if (context.getEnvironment().acceptsProfiles(Profiles.of(EXTERNAL))) {
            return;
        }
        logger.info("Starting an embedded PostgreSQL primary and two standbys");
        ReplicatedPostgres cluster = ReplicatedPostgres.start(2);
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(BEAN, new LinkedHashMap<>(cluster.properties())));
        context.getBeanFactory().registerSingleton(BEAN, cluster);
        // The first that is registered is the last that is destroyed: the pools are closed before their servers end.
        context.getDefaultListableBeanFactory().registerDisposableBean(BEAN, cluster::close);
    }
}
