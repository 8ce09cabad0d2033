/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Health, endpoint and metrics. */
@NullMarked
package dev.freshness.actuate;

import org.jspecify.annotations.NullMarked;
