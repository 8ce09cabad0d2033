/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.token;

import java.util.Locale;

/** What becomes of a token, or of a text that should have been one. Never more than this is told to anybody. */
public enum TokenResult {

    /** Its floors count. */
    VALID,

    /** Its time is over, and with it what it promised. */
    EXPIRED,

    /** More characters than any token has; not looked at further. */
    TOO_LONG,

    /** Not a token. */
    MALFORMED,

    /** Of a version that is not known here. */
    UNKNOWN_VERSION,

    /** Signed with a key that is not known here. */
    UNKNOWN_KEY,

    /** Not signed by us, or changed since. */
    BAD_SIGNATURE,

    /** Meant for others. */
    OTHER_AUDIENCE,

    /** Issued to somebody else. */
    OTHER_PRINCIPAL,

    /** Issued later than now, by more than clocks may differ. */
    FROM_THE_FUTURE,

    /** One more than are looked at in one request. */
    TOO_MANY,

    /** Valid, but a position in it is of another cluster than the writer. */
    OTHER_CLUSTER,

    /** Valid, but a position in it is of another timeline than the writer's. */
    OTHER_HISTORY,

    /** Valid, but the writer has not written as far as a position in it. */
    BEYOND_WRITER,

    /** Put on a response. */
    ISSUED,

    /** Due on a response that had been committed already. */
    TOO_LATE;

    /**
     * The value of the metric tag {@code result}.
     *
     * @return for example {@code bad-signature}
     */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
