/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import java.util.Comparator;

/**
 * A contract that was found on a bean's method.
 *
 * @param type the bean's class
 * @param method the method's name
 * @param contract the contract, its limits included
 * @param rerunOnConflict whether the method is run again on the writer, where that is safe, after a replica stopped it
 * @param scoped whether it names the business objects that it reads
 * @param overridden whether properties have changed what its annotation says
 */
public record DeclaredContract(
        String type,
        String method,
        FreshnessContract contract,
        boolean rerunOnConflict,
        boolean scoped,
        boolean overridden) {

    static final Comparator<DeclaredContract> BY_NAME =
            Comparator.comparing(DeclaredContract::type).thenComparing(DeclaredContract::method);
}
