/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** What the monitor saw of the nodes, and what follows from it. Pure Java, immutable but for the sample ring. */
@NullMarked
package dev.freshness.topology;

import org.jspecify.annotations.NullMarked;
