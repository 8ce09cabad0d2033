/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.util.ClassUtils;

/** Gives the contexts of {@link ReplicatedPostgresTest} classes the properties of their cluster. */
final class ReplicatedPostgresContextCustomizerFactory implements ContextCustomizerFactory {

    /** Spring asks this factory for every test, also for those of other frameworks. */
    static final boolean JUNIT_PRESENT = ClassUtils.isPresent(
            "org.junit.jupiter.api.extension.Extension",
            ReplicatedPostgresContextCustomizerFactory.class.getClassLoader());

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> configAttributes) {
        return JUNIT_PRESENT
                ? TestClusters.find(testClass)
                        .map(ReplicatedPostgresContextCustomizer::new)
                        .orElse(null)
                : null;
    }
}
