/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import org.jspecify.annotations.Nullable;

/**
 * Says of a failed commit that nobody knows whether it took place: the connection broke before the server's answer came.
 * Never thrown by itself; it is found among the suppressed exceptions of the failure, which is otherwise what the driver
 * and Spring make of it. Until the client's next commit its reads that owe to its writes go to the writer.
 *
 * @see #isMarkedOn
 */
public final class CommitInDoubtException extends Exception {

    /**
     * Creates the mark.
     *
     * @param node the node that was asked to commit
     */
    public CommitInDoubtException(String node) {
        super(
                "The connection to " + node + " broke before it answered; the transaction may have been committed",
                null,
                false,
                false);
    }

    /**
     * Whether a failure is a commit in doubt.
     *
     * @param failure what a transaction manager or a connection threw; null is allowed
     * @return true if it or one of its causes carries the mark
     */
    public static boolean isMarkedOn(@Nullable Throwable failure) {
        // Bounded, since causes can form a circle.
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 50; depth++) {
            for (Throwable suppressed : cause.getSuppressed()) {
                if (suppressed instanceof CommitInDoubtException) {
                    return true;
                }
            }
            cause = cause.getCause();
        }
        return false;
    }
}
