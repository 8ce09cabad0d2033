/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.session.FreshnessScope;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Prepares what lies between the code under a contract and its connections and could answer in their place, such as a
 * persistence context.
 *
 * <p>Implementations are thread-safe.
 */
@FunctionalInterface
public interface ContractBoundary {

    /** There is nothing in between. */
    ContractBoundary NONE = (outer, inForce, method, targetClass) -> null;

    /**
     * Called when a contract has come into force, before any work under it.
     *
     * @param outer the scope around it, null if there was none
     * @param inForce the contract's own scope
     * @param method the method that declares the contract, null if code does
     * @param targetClass the class of the bean, null if not known
     * @return what to do once the work is over, whatever its exit; null for nothing. Must not throw
     */
    @Nullable
    Runnable enter(
            @Nullable FreshnessScope outer,
            FreshnessScope inForce,
            @Nullable Method method,
            @Nullable Class<?> targetClass);
}
