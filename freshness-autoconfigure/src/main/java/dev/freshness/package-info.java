/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The public API: {@link dev.freshness.Freshness} on service methods, {@link dev.freshness.FreshnessOperations} in code,
 * and the exceptions that say when a contract could not be kept.
 */
@NullMarked
package dev.freshness;

import org.jspecify.annotations.NullMarked;
