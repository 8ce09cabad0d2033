/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import dev.freshness.session.FreshnessScope;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionSystemException;

/** Keeps a method's contract in force while it runs. Thread-safe. */
final class FreshnessInterceptor implements MethodInterceptor {

    private final ContractSource source;

    private final Supplier<ContractBoundary> boundary;

    FreshnessInterceptor(ContractSource source, Supplier<ContractBoundary> boundary) {
        this.source = source;
        this.boundary = boundary;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> targetClass = target == null ? null : target.getClass();
        FreshnessContract contract = this.source.contract(invocation.getMethod(), targetClass);
        if (contract == null) {
            return invocation.proceed();
        }
        FreshnessContract around = ContractBoundaries.inForce();
        try (FreshnessScope scope = FreshnessScope.open(contract);
                ContractBoundary.Exit exit = ContractBoundaries.enter(
                        this.boundary.get(), around, scope, invocation.getMethod(), targetClass)) {
            return invocation.proceed();
        } catch (TransactionSystemException ex) {
            throw CommitFailures.unwrapped(ex);
        }
    }
}
