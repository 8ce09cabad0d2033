/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Sessions that leave their thread or their process. */
@NullMarked
package dev.freshness.handover;

import org.jspecify.annotations.NullMarked;
