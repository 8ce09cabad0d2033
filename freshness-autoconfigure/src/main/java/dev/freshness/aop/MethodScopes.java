/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import dev.freshness.session.ThreadScope;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The business objects that a method's annotations name.
 *
 * @param reads the object it reads, null for everything
 * @param writes the object it writes
 */
record MethodScopes(@Nullable ScopeExpression reads, ScopeExpression writes) {

    /** The same, for one call. */
    Named of(MethodInvocation call) {
        String written = this.writes.evaluate(call);
        if (this.reads == null) {
            return new Named(null, written);
        }
        return new Named(this.reads == this.writes ? written : this.reads.evaluate(call), written);
    }

    /**
     * The business objects of one call.
     *
     * @param read the object it reads, null for everything
     * @param written the object it writes, null for anything
     */
    record Named(@Nullable String read, @Nullable String written) {

        FreshnessContract narrowed(FreshnessContract contract) {
            return this.read == null ? contract : contract.withScopes(this.read);
        }

        ThreadScope open() {
            return this.written == null
                    ? ThreadScope.openForWritesOfAnything()
                    : ThreadScope.openForWritesOf(this.written);
        }
    }
}
