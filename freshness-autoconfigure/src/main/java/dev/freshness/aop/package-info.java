/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The advisor behind {@link dev.freshness.Freshness}. */
@NullMarked
package dev.freshness.aop;

import org.jspecify.annotations.NullMarked;
