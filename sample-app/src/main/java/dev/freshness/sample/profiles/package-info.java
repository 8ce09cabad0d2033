/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Profiles, which must show their own changes, and permissions, which must be those of now. With JPA. */
@NullMarked
package dev.freshness.sample.profiles;

import org.jspecify.annotations.NullMarked;
