/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

/** What to do when no replica meets a read's contract. */
public enum OnUnmet {

    /** Whatever {@code freshness.on-unmet} says. Only for annotations; a {@link FreshnessContract} never holds it. */
    DEFAULT,

    /**
     * Answer from the least stale replica that is alive, and say so in the outcome. Only for
     * {@link FreshnessMode#EVENTUAL}, for pages that must stay up while the writer is down.
     */
    STALE,

    /** Answer from the writer. */
    WRITER,

    /** Refuse with {@link StaleReadNotAllowedException}. */
    REJECT;

    /**
     * The stricter of two policies: {@code REJECT} before {@code WRITER} before {@code STALE}.
     *
     * @param other another policy
     * @return this policy or the other
     */
    public OnUnmet stricter(OnUnmet other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
