/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

/** Who goes first when many reads want to fall back to the writer at once. */
public enum ReadPriority {

    /** Takes what is not kept for {@link #HIGH}. */
    NORMAL,

    /** May also take the half of the writer-fallback budget that can be kept for it. */
    HIGH;

    /**
     * The higher of two priorities.
     *
     * @param other another priority
     * @return this priority or the other
     */
    public ReadPriority higher(ReadPriority other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
