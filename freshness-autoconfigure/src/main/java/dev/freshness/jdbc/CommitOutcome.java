/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.util.Locale;

/** What became of a commit on the writer and of its position. */
public enum CommitOutcome {

    /** Committed, and the position is known. */
    CAPTURED,

    /** Committed, but there was nothing that a standby could show. */
    NOTHING_WRITTEN,

    /** Committed plainly, since asking for the position was not safe here; a later sample of the writer gives one. */
    DEFERRED,

    /** Committed, but the position could not be read; a later sample of the writer gives one. */
    POSITION_FAILED,

    /** Refused by the server. */
    REFUSED,

    /** The connection broke before the answer came. */
    IN_DOUBT;

    /**
     * The value of the metric tag {@code outcome}.
     *
     * @return for example {@code captured}
     */
    public String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
