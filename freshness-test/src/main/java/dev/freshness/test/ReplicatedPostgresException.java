/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import org.jspecify.annotations.Nullable;

/**
 * Something that was asked of a {@link ReplicatedPostgres} or one of its nodes did not happen. The message says what
 * was tried, and ends with the last lines of the server's log where there is one.
 */
public class ReplicatedPostgresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what was tried, and what happened instead
     */
    public ReplicatedPostgresException(String message) {
        super(message);
    }

    /**
     * Creates the exception with its cause.
     *
     * @param message what was tried, and what happened instead
     * @param cause why it failed, or null
     */
    public ReplicatedPostgresException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
