/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Positions in PostgreSQL's write-ahead log. Pure Java. */
@NullMarked
package dev.freshness.wal;

import org.jspecify.annotations.NullMarked;
