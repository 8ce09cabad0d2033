/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

/**
 * How fresh the answer of a read must be. Declared from the weakest to the strongest, so that of two modes the one with
 * the higher ordinal is the stricter.
 */
public enum FreshnessMode {

    /** The answer may be old, up to the contract's maximum staleness. */
    EVENTUAL,

    /** The answer must include every write that this client has made. */
    READ_YOUR_WRITES,

    /** The answer must come from the writer, now. */
    AUTHORITATIVE_NOW;

    /**
     * The stricter of two modes.
     *
     * @param other another mode
     * @return this mode or the other
     */
    public FreshnessMode stricter(FreshnessMode other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
