/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.util.StringValueResolver;

/**
 * Applies {@link dev.freshness.Freshness} and {@link dev.freshness.FreshnessScope} to beans. It stands just outside the transaction advisor, so that a contract is
 * in force when its method's transaction begins.
 *
 * <p>Annotations are read while proxies are made, so a value that is not allowed stops the boot, and an annotation that
 * no call can reach is warned of.
 */
public final class FreshnessAdvisor extends StaticMethodMatcherPointcutAdvisor {

    /** Outside of the transaction advisor in its default place. */
    public static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

    private final transient ContractSource source;

    /**
     * Creates the advisor.
     *
     * @param defaults what a contract says where its annotation says nothing; asked for when the first annotation is
     *     read, since advisors are made before other beans may be
     * @param overrides what properties say in place of annotations; asked for with the first annotation
     * @param placeholders resolves placeholders in annotations
     * @param boundary what to prepare for work under a contract; asked for with the first call
     * @param attributes tells what transaction a method opens; asked for with the first call
     */
    public FreshnessAdvisor(
            Supplier<ContractDefaults> defaults,
            Supplier<ContractOverrides> overrides,
            StringValueResolver placeholders,
            Supplier<ContractBoundary> boundary,
            Supplier<TransactionAttributeSource> attributes) {
        this.source = new ContractSource(defaults, overrides, placeholders);
        setAdvice(new FreshnessInterceptor(this.source, new ReRunRule(attributes), boundary));
        setClassFilter(new UnreachableMethods());
        setOrder(ORDER);
    }

    /**
     * The contracts of the beans that were made so far.
     *
     * @return by class and method
     */
    public List<DeclaredContract> contracts() {
        return this.source.declared();
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return this.source.contract(method, targetClass) != null;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
