/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

/** Whether a method is run again on the writer after a replica cancelled or lost its transaction. */
public enum RerunOnConflict {

    /** Whatever {@code freshness.rerun-on-conflict} says. */
    DEFAULT,

    /** Once, where that is safe. */
    TRUE,

    /** Never: the caller gets the exception. */
    FALSE
}
