/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import java.util.Locale;

/** Where a unit goes. */
public enum Outcome {

    /** To a replica that was observed to meet the contract. */
    REPLICA,

    /** To a replica that was waited for until it had replayed the client's writes. */
    REPLICA_AFTER_WAIT,
    /** To the writer, because the contract, the kind of work or the topology says so. */
    WRITER,

    /** To the writer, because no replica met the contract. */
    WRITER_FALLBACK,

    /** To a replica that does not meet the contract, as {@link dev.freshness.OnUnmet#STALE} allows. */
    STALE,

    /** Nowhere: the caller gets an exception. */
    REJECTED;

    /**
     * The value of the metric tag {@code outcome}.
     *
     * @return for example {@code writer_fallback}
     */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
