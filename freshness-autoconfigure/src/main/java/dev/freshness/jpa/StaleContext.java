/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

/** What to do with a persistence context that may hold entities of a replica and is about to be used for more. */
public enum StaleContext {

    /** Clear it, unless it holds changes; then refuse. */
    CLEAR,

    /** Refuse. */
    FAIL
}
