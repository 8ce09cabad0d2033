/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Orders: whoever placed one must find it, from a replica or not at all. With plain JDBC. */
@NullMarked
package dev.freshness.sample.orders;

import org.jspecify.annotations.NullMarked;
