/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Persistence contexts under contracts: rows that were read once must not answer for stricter reads. */
@NullMarked
package dev.freshness.jpa;

import org.jspecify.annotations.NullMarked;
