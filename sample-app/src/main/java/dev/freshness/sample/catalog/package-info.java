/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The catalog: old answers will do. */
@NullMarked
package dev.freshness.sample.catalog;

import org.jspecify.annotations.NullMarked;
