/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Told on the calling thread where work under a contract begins and where it ends, inside of the contract's scope: for
 * what holds on to rows that were read and would answer for them later.
 *
 * <p>Thread-safe.
 */
@FunctionalInterface
public interface ContractBoundary {

    /** Nothing to do where the work ends. */
    Exit NOTHING = () -> {};

    /** Nothing to do anywhere. */
    ContractBoundary NONE = (around, contract, method, targetClass) -> NOTHING;

    /**
     * Work begins.
     *
     * @param around the contract in force around it, null if none was
     * @param contract the contract in force from now on, joined with the one around it
     * @param method the method that is called, null where the work is no method
     * @param targetClass the class it is called on, null if not known
     * @return what to do where the work ends, whatever the exit
     * @throws dev.freshness.ContractConflictException if the contract cannot be met by what was read before
     */
    Exit enter(
            @Nullable FreshnessContract around,
            FreshnessContract contract,
            @Nullable Method method,
            @Nullable Class<?> targetClass);

    /** Where work ends. */
    @FunctionalInterface
    interface Exit extends AutoCloseable {

        /** The work has ended. Must not throw. */
        @Override
        void close();
    }
}
