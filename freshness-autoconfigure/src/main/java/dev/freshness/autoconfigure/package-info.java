/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Properties and auto-configurations: the only place that wires the parts together. */
@NullMarked
package dev.freshness.autoconfigure;

import org.jspecify.annotations.NullMarked;
