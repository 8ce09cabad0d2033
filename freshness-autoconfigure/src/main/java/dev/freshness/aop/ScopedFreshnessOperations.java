/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.session.FreshnessScope;
import dev.freshness.session.FreshnessSession;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@link FreshnessOperations} by scopes on the calling thread. Thread-safe. */
public final class ScopedFreshnessOperations implements FreshnessOperations {

    private final ContractDefaults defaults;

    /**
     * Creates the operations.
     *
     * @param defaults what {@link #contract} says for everything but the mode
     */
    public ScopedFreshnessOperations(ContractDefaults defaults) {
        this.defaults = defaults;
    }

    @Override
    public FreshnessContract contract(FreshnessMode mode) {
        return this.defaults.contract(mode, "FreshnessOperations");
    }

    @Override
    public <T extends @Nullable Object> T read(FreshnessContract contract, Supplier<T> work) {
        try (FreshnessScope scope = FreshnessScope.open(contract)) {
            return work.get();
        }
    }

    @Override
    public <T extends @Nullable Object> T newSession(Supplier<T> work) {
        try (FreshnessScope scope = FreshnessScope.open(FreshnessSession.ofNewClient())) {
            return work.get();
        }
    }
}
