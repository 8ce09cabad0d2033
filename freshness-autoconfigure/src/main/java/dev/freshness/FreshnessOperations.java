/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The programmatic form of {@link Freshness}: for code that Spring proxies do not reach, and for work outside of web
 * requests. Injected as a bean.
 *
 * <p>Scopes end when the given work returns or throws. They belong to the calling thread; work handed to another thread
 * is outside of them. Thread-safe.
 */
public interface FreshnessOperations {

    /**
     * A contract with the application's defaults for everything but the mode.
     *
     * @param mode how fresh the answer must be
     * @return a contract that can be refined and used any number of times
     */
    FreshnessContract contract(FreshnessMode mode);

    /**
     * Does work under a contract, as if it were the body of a method with {@link Freshness}.
     *
     * @param contract what its reads ask for; joined to a contract already in force
     * @param work what to do
     * @param <T> the type of its result
     * @return what the work returned
     */
    <T extends @Nullable Object> T read(FreshnessContract contract, Supplier<T> work);

    /**
     * Does work under a contract with the application's defaults.
     *
     * @param mode how fresh the answers of its reads must be
     * @param work what to do
     * @param <T> the type of its result
     * @return what the work returned
     */
    default <T extends @Nullable Object> T read(FreshnessMode mode, Supplier<T> work) {
        return read(contract(mode), work);
    }

    /**
     * Does work in a session of its own for a client that has written nothing yet. The caller vouches for that: reads in
     * it owe nothing to earlier writes. Contracts already in force stay in force.
     *
     * @param work what to do
     * @param <T> the type of its result
     * @return what the work returned
     */
    <T extends @Nullable Object> T newSession(Supplier<T> work);
}
