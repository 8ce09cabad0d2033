/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.orders;

import java.math.BigDecimal;
import java.time.OffsetDateTime;

/** An order, at the price of the moment when it was placed. */
record Order(long id, long itemId, int quantity, BigDecimal unitPrice, OffsetDateTime placedAt) {}
