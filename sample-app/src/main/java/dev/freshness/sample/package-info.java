/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** A small service on a primary and two standbys whose methods say how fresh their answers must be. */
@NullMarked
package dev.freshness.sample;

import org.jspecify.annotations.NullMarked;
