/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import org.jspecify.annotations.Nullable;

/**
 * A {@link Freshness} or {@link FreshnessScope} annotation holds a value that is not allowed. Raised while the application
 * context starts, and by a call whose scope cannot be evaluated, before its method runs; the message names the class and
 * method, the member, and what is allowed.
 */
public final class InvalidFreshnessContractException extends IllegalStateException {

    /**
     * Creates the exception.
     *
     * @param message the class and method, the member, and what is allowed
     * @param cause what was wrong with the value, if that is known from elsewhere
     */
    public InvalidFreshnessContractException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
