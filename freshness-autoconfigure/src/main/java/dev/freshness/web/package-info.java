/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Sessions for web requests, the tokens that carry them, and the header that says who served one. */
@NullMarked
package dev.freshness.web;

import org.jspecify.annotations.NullMarked;
