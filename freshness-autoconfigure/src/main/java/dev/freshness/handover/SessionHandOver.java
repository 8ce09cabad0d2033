/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.handover;

import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands the session in force on the calling thread to work that another thread does. The threads share it: what either
 * writes, the other's reads see. Contracts and everything else in force stay behind.
 *
 * <p>What it does when it cannot know: where there is no session to hand over, the work has none, even on a thread that has.
 *
 * <p>Stateless and thread-safe. Owns no threads.
 */
public final class SessionHandOver {

    private SessionHandOver() {}

    static @Nullable FreshnessSession session() {
        ThreadScope scope = ThreadScope.current();
        return scope == null ? null : scope.session();
    }

    /**
     * Hands the session over.
     *
     * @param work what to do
     * @return the same work, in the session that is in force now
     */
    public static Runnable wrap(Runnable work) {
        FreshnessSession session = session();
        return () -> {
            try (ThreadScope scope = ThreadScope.openForTask(session)) {
                work.run();
            }
        };
    }

    /**
     * Hands the session over.
     *
     * @param work what to do
     * @param <T> the type of its result
     * @return the same work, in the session that is in force now
     */
    public static <T extends @Nullable Object> Callable<T> wrap(Callable<T> work) {
        FreshnessSession session = session();
        return () -> {
            try (ThreadScope scope = ThreadScope.openForTask(session)) {
                return work.call();
            }
        };
    }

    /**
     * Hands the session over.
     *
     * @param work what to do
     * @param <T> the type of its result
     * @return the same work, in the session that is in force now
     */
    public static <T extends @Nullable Object> Supplier<T> wrapSupplier(Supplier<T> work) {
        FreshnessSession session = session();
        return () -> {
            try (ThreadScope scope = ThreadScope.openForTask(session)) {
                return work.get();
            }
        };
    }
}
