/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import org.jspecify.annotations.Nullable;

/**
 * What the annotations of a method say.
 *
 * @param contract the contract, null where none is stated
 * @param rerunOnConflict whether the method is run again on the writer, where that is safe, after a replica stopped its
 *     transaction
 * @param scopes the business objects it reads and writes, null if none is named
 */
record MethodContract(
        @Nullable FreshnessContract contract,
        boolean rerunOnConflict,
        @Nullable MethodScopes scopes) {}
