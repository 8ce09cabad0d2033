/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The floors of one client, and the scopes that carry them and the contracts on a thread. Pure Java. */
@NullMarked
package dev.freshness.session;

import org.jspecify.annotations.NullMarked;
