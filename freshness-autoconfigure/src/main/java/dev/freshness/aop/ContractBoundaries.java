/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import dev.freshness.session.ThreadScope;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** How scopes of contracts meet a {@link ContractBoundary}. */
final class ContractBoundaries {

    private ContractBoundaries() {}

    static @Nullable FreshnessContract inForce() {
        ThreadScope scope = ThreadScope.current();
        return scope == null ? null : scope.contract();
    }

    static ContractBoundary.Exit enter(
            ContractBoundary boundary,
            @Nullable FreshnessContract around,
            ThreadScope scope,
            @Nullable Method method,
            @Nullable Class<?> targetClass) {
        FreshnessContract contract = scope.contract();
        return contract == null ? ContractBoundary.NOTHING : boundary.enter(around, contract, method, targetClass);
    }
}
