/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** What {@code #root} is in a scope's expression, which finds its properties by their getters. */
final class ScopeRoot {

    private final MethodInvocation call;

    private ScopeRoot(MethodInvocation call) {
        this.call = call;
    }

    static ScopeRoot of(MethodInvocation call) {
        return new ScopeRoot(call);
    }

    public Method getMethod() {
        return this.call.getMethod();
    }

    public String getMethodName() {
        return this.call.getMethod().getName();
    }

    public @Nullable Object[] getArgs() {
        return this.call.getArguments();
    }

    public @Nullable Object getTarget() {
        return this.call.getThis();
    }

    public @Nullable Class<?> getTargetClass() {
        Object target = this.call.getThis();
        return target == null ? null : target.getClass();
    }
}
