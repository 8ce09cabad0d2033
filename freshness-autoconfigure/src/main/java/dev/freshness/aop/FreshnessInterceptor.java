/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import dev.freshness.session.FreshnessScope;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Keeps a method's contract in force while it runs. Thread-safe. */
final class FreshnessInterceptor implements MethodInterceptor {

    private final ContractSource source;

    FreshnessInterceptor(ContractSource source) {
        this.source = source;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        FreshnessContract contract =
                this.source.contract(invocation.getMethod(), target == null ? null : target.getClass());
        if (contract == null) {
            return invocation.proceed();
        }
        try (FreshnessScope scope = FreshnessScope.open(contract)) {
            return invocation.proceed();
        }
    }
}
