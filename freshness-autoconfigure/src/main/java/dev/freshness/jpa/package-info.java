/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Persistence contexts under contracts: what was loaded from a replica never answers for a stricter read, and is never
 * written back.
 */
@NullMarked
package dev.freshness.jpa;

import org.jspecify.annotations.NullMarked;
