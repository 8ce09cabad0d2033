/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.Ordered;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.support.DependencyInjectionTestExecutionListener;

/** Drops Spring contexts whose cluster is gone or will be: their connection pools point nowhere. */
final class ReplicatedPostgresTestExecutionListener implements TestExecutionListener, Ordered {

    /** Before the listeners that load the context, of which the first, that for web contexts, has 1000. */
    private static final int BEFORE_CONTEXT_USERS = 900;

    private final Set<AnnotatedElement> warnedOf = ConcurrentHashMap.newKeySet();

    @Override
    public int getOrder() {
        return BEFORE_CONTEXT_USERS;
    }

    @Override
    public void prepareTestInstance(TestContext context) {
        dropIfReplaced(context);
    }

    @Override
    public void beforeTestMethod(TestContext context) {
        dropIfReplaced(context);
        if (key(context).isPresent()) {
            TestTransactions.of(context.getTestClass(), context.getTestMethod())
                    .filter(this.warnedOf::add)
                    .ifPresent(TestTransactions::warn);
        }
    }

    /** At once when a method has changed the roles: the next instance may get beans already in its constructor. */
    @Override
    public void afterTestMethod(TestContext context) {
        key(context).filter(key -> !TestClusters.get(key).hasOriginalRoles()).ifPresent(key -> drop(context));
    }

    @Override
    public void afterTestClass(TestContext context) {
        key(context).filter(key -> context.getTestClass().equals(key.only())).ifPresent(key -> drop(context));
    }

    private static void dropIfReplaced(TestContext context) {
        key(context)
                .filter(key -> context.hasApplicationContext())
                .filter(key -> ReplicatedPostgresContextCustomizer.clusterOf(context.getApplicationContext())
                        != TestClusters.get(key))
                .ifPresent(key -> drop(context));
    }

    private static void drop(TestContext context) {
        context.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
        context.setAttribute(DependencyInjectionTestExecutionListener.REINJECT_DEPENDENCIES_ATTRIBUTE, true);
    }

    private static Optional<TestClusters.Key> key(TestContext context) {
        return ReplicatedPostgresContextCustomizerFactory.JUNIT_PRESENT
                ? TestClusters.find(context.getTestClass())
                : Optional.empty();
    }
}
