/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Where a unit goes and why: a pure function of contract, floor, database state and time. */
@NullMarked
package dev.freshness.routing;

import org.jspecify.annotations.NullMarked;
