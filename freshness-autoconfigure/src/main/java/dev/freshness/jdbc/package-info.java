/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The routed data source, its logical connections, and the capture of commit positions. */
@NullMarked
package dev.freshness.jdbc;

import org.jspecify.annotations.NullMarked;
