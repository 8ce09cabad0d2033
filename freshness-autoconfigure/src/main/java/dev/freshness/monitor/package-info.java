/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The scheduled LSN monitor: one thread and one connection for each node. JDBC, no Spring. */
@NullMarked
package dev.freshness.monitor;

import org.jspecify.annotations.NullMarked;
