/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.profiles;

/** A profile as clients see it. */
record ProfileView(long id, String displayName, long version) {}
