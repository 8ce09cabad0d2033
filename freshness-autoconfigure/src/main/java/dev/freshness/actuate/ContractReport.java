/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.ReadPriority;
import dev.freshness.aop.DeclaredContract;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A method's contract as operators see it. Limits that its mode does not look at are null.
 *
 * @param method class and method
 * @param mode how fresh its answers must be
 * @param maxStaleness how old the answer of a replica may be
 * @param waitBudget how long it waits at most for a replica
 * @param onUnmet what happens where no replica meets it
 * @param monotonic whether its reads never go back behind earlier ones
 * @param priority who goes first when many reads want to fall back to the writer
 * @param rerunOnConflict whether it is run again on the writer, where that is safe, after a replica stopped it
 * @param scoped whether it names the business objects that it reads
 * @param overridden whether properties have changed what its annotation says
 */
public record ContractReport(
        String method,
        FreshnessMode mode,
        @Nullable Duration maxStaleness,
        @Nullable Duration waitBudget,
        @Nullable OnUnmet onUnmet,
        boolean monotonic,
        ReadPriority priority,
        boolean rerunOnConflict,
        boolean scoped,
        boolean overridden) {

    static ContractReport of(DeclaredContract declared) {
        FreshnessContract contract = declared.contract();
        boolean onReplicas = contract.mode() != FreshnessMode.AUTHORITATIVE_NOW;
        return new ContractReport(
                declared.type() + "." + declared.method(),
                contract.mode(),
                onReplicas ? contract.maxStaleness() : null,
                onReplicas && contract.monotonic() ? contract.waitBudget() : null,
                onReplicas ? contract.onUnmet() : null,
                contract.monotonic(),
                contract.priority(),
                declared.rerunOnConflict(),
                declared.scoped(),
                declared.overridden());
    }
}
