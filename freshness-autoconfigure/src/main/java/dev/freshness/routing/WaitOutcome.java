/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import java.util.Locale;

/** How a catch-up wait ended. */
public enum WaitOutcome {

    /** What was waited for came. */
    REACHED,

    /** By the rates at which the replicas replay, none would have come so far within the budget. */
    HOPELESS,

    /** The budget was used up before. */
    EXHAUSTED,

    /** An interrupt or the end of the monitor came before. */
    ENDED;

    /**
     * The value of the metric tag {@code outcome}.
     *
     * @return for example {@code reached}
     */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
