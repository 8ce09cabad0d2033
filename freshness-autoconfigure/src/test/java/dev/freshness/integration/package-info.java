/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Behaviour on real replication. Every "sees the write" test has its control: the same read as EVENTUAL on a paused
 * replica, which must get the old value there.
 */
@NullMarked
package dev.freshness.integration;

import org.jspecify.annotations.NullMarked;
