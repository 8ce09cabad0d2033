/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What properties say in place of a method's annotation. What is null stays as the annotation says.
 *
 * @param mode how fresh the method's answers must be
 * @param maxStaleness how old the answer of a replica may be, more than zero
 * @param waitBudget how long a read waits at most for a replica to reach its client's writes
 * @param onUnmet what to do where no replica meets the contract
 */
public record ContractOverride(
        @Nullable FreshnessMode mode,
        @Nullable Duration maxStaleness,
        @Nullable Duration waitBudget,
        @Nullable OnUnmet onUnmet) {

    /** This, and where it says nothing what another says. */
    ContractOverride or(ContractOverride other) {
        return new ContractOverride(
                this.mode == null ? other.mode : this.mode,
                this.maxStaleness == null ? other.maxStaleness : this.maxStaleness,
                this.waitBudget == null ? other.waitBudget : this.waitBudget,
                this.onUnmet == null ? other.onUnmet : this.onUnmet);
    }

    /**
     * The contract with what is said here.
     *
     * @throws IllegalArgumentException if the values do not go together
     */
    FreshnessContract applyTo(FreshnessContract contract) {
        return new FreshnessContract(
                this.mode == null ? contract.mode() : this.mode,
                this.maxStaleness == null ? contract.maxStaleness() : this.maxStaleness,
                this.waitBudget == null ? contract.waitBudget() : this.waitBudget,
                this.onUnmet == null || this.onUnmet == OnUnmet.DEFAULT ? contract.onUnmet() : this.onUnmet,
                contract.monotonic(),
                contract.priority(),
                contract.scopes(),
                contract.declaredBy());
    }
}
