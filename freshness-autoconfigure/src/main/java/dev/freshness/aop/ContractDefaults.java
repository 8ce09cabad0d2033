/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import java.time.Duration;

/**
 * What a contract says where its annotation says nothing.
 *
 * @param maxStaleness {@code freshness.max-staleness}
 * @param waitBudget {@code freshness.wait-budget}
 * @param onUnmet {@code freshness.on-unmet}: {@link OnUnmet#WRITER} or {@link OnUnmet#REJECT}
 * @param rerunOnConflict {@code freshness.rerun-on-conflict}
 */
public record ContractDefaults(Duration maxStaleness, Duration waitBudget, OnUnmet onUnmet, boolean rerunOnConflict) {

    /**
     * A contract with these defaults.
     *
     * @param mode its mode
     * @param declaredBy who asks
     * @return the contract
     */
    public FreshnessContract contract(FreshnessMode mode, String declaredBy) {
        return new FreshnessContract(mode, this.maxStaleness, this.waitBudget, this.onUnmet, declaredBy);
    }
}
