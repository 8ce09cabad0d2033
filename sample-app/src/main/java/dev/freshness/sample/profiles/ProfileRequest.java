/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.profiles;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/** What a client sends. */
record ProfileRequest(@NotBlank @Size(max = 100) String displayName) {}
