/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/** The JUnit side of {@link ReplicatedPostgresTest}. */
final class ReplicatedPostgresExtension
        implements TestInstancePreConstructCallback, BeforeEachCallback, AfterAllCallback, ParameterResolver {

    /** Before the constructor, since that may get the cluster, which may be a new one. */
    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        if (factory.getOuterInstance().isEmpty()) {
            TestClusters.reset(key(context));
        }
    }

    /** Once more only where the instance, and so the reset before its constructor, is not this method's own. */
    @Override
    public void beforeEach(ExtensionContext context) {
        boolean instancePerClass = context.getTestInstanceLifecycle()
                .filter(lifecycle -> lifecycle == TestInstance.Lifecycle.PER_CLASS)
                .isPresent();
        if (instancePerClass) {
            TestClusters.reset(key(context));
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        TestClusters.Key key = key(context);
        if (key.only() != null && key.only().equals(context.getRequiredTestClass())) {
            TestClusters.close(key);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == ReplicatedPostgres.class || type == PostgresNode.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ReplicatedPostgres cluster = TestClusters.get(key(context));
        if (parameter.getParameter().getType() == ReplicatedPostgres.class) {
            return cluster;
        }
        String name = parameter.findAnnotation(Node.class).map(Node::value).orElse(ClusterSettings.PRIMARY);
        return name.equals(ClusterSettings.PRIMARY) ? cluster.primary() : cluster.replica(name);
    }

    private static TestClusters.Key key(ExtensionContext context) {
        return TestClusters.find(context.getRequiredTestClass())
                .orElseThrow(() -> new ExtensionConfigurationException(
                        "No @ReplicatedPostgresTest at " + context.getRequiredTestClass()));
    }
}
