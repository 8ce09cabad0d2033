/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.handover;

import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/**
 * Lets Micrometer's context propagation carry sessions, as Spring's {@code ContextPropagatingTaskDecorator} and Reactor use
 * it. Found by its service file where that library is there.
 *
 * <p>Stateless and thread-safe.
 */
public final class SessionAccessor implements ThreadLocalAccessor<FreshnessSession> {

    /** The key of the session in a context. */
    public static final String KEY = "dev.freshness.session";

    /** Creates the accessor. */
    public SessionAccessor() {}

    @Override
    public Object key() {
        return KEY;
    }

    @Override
    public @Nullable FreshnessSession getValue() {
        return SessionHandOver.session();
    }

    // Each way to set a value is followed by one to restore what was there, which closes these scopes.

    @Override
    @SuppressWarnings("MustBeClosedChecker")
    public void setValue(FreshnessSession session) {
        ThreadScope.openForTask(session);
    }

    @Override
    public void setValue() {
        ThreadScope.openForTask(null);
    }

    @Override
    public void restore(FreshnessSession previous) {
        ThreadScope.closeTask();
    }

    @Override
    public void restore() {
        ThreadScope.closeTask();
    }
}
