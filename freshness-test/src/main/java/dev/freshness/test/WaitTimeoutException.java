/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import org.jspecify.annotations.Nullable;

/**
 * A condition did not come true before its deadline. The message names the condition, the last value seen, and the last
 * lines of the server's log. What was asked for may still happen later: nothing is undone.
 */
public final class WaitTimeoutException extends ReplicatedPostgresException {

    private static final long serialVersionUID = 1L;

    WaitTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
