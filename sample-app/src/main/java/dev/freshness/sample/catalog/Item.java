/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.catalog;

import java.math.BigDecimal;

/** Something to buy. */
record Item(long id, String name, BigDecimal price) {}
