/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

/** What to do with a persistence context that may hold rows of a replica and is about to serve something stricter. */
public enum StaleContext {

    /** Clear it if nothing in it was changed; else refuse. */
    CLEAR,

    /** Refuse, unless it is empty. */
    FAIL
}
