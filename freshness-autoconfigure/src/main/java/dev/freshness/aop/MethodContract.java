/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;

/**
 * What the annotation of a method says.
 *
 * @param contract the contract
 * @param rerunOnConflict whether the method is run again on the writer, where that is safe, after a replica stopped its
 *     transaction
 */
record MethodContract(FreshnessContract contract, boolean rerunOnConflict) {}
