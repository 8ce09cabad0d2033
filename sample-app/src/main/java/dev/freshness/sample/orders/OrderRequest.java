/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.orders;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** What a client sends. Not primitive, so that a missing field is reported by its name. */
record OrderRequest(
        @NotNull Long itemId, @NotNull @Min(1) @Max(1000) Integer quantity) {}
