/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Micro-benchmarks. */
@NullMarked
package dev.freshness.benchmarks;

import org.jspecify.annotations.NullMarked;
