/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * Adds the properties of the cluster that is there when the context is loaded. Contexts are cached by what the class asks
 * for, not by the cluster: {@link ReplicatedPostgresTestExecutionListener} drops those whose cluster is gone.
 */
record ReplicatedPostgresContextCustomizer(TestClusters.Key key) implements ContextCustomizer {

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        MutablePropertySources sources = context.getEnvironment().getPropertySources();
        ClusterPropertySource source = new ClusterPropertySource(TestClusters.get(key));
        // What a test says for itself goes first.
        String inlined = TestPropertySourceUtils.INLINED_PROPERTIES_PROPERTY_SOURCE_NAME;
        if (sources.contains(inlined)) {
            sources.addAfter(inlined, source);
        } else {
            sources.addFirst(source);
        }
    }

    /** The cluster that a context was made for, or null if it was made for none. */
    static @Nullable ReplicatedPostgres clusterOf(ApplicationContext context) {
        return context instanceof ConfigurableApplicationContext configurable
                        && configurable.getEnvironment().getPropertySources().get(ClusterPropertySource.NAME)
                                instanceof ClusterPropertySource source
                ? source.cluster
                : null;
    }

    private static final class ClusterPropertySource extends MapPropertySource {

        static final String NAME = "replicatedPostgres";

        private final ReplicatedPostgres cluster;

        ClusterPropertySource(ReplicatedPostgres cluster) {
            super(NAME, new LinkedHashMap<>(cluster.properties()));
            this.cluster = cluster;
        }
    }
}
