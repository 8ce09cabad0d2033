/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The signed token that carries a client's floors from one request or service to the next. Pure Java. */
@NullMarked
package dev.freshness.token;

import org.jspecify.annotations.NullMarked;
