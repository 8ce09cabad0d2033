/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

/**
 * No replica met the contract, and its policy is {@link OnUnmet#REJECT}. Transient: replicas catch up.
 */
public class StaleReadNotAllowedException extends FreshnessException {

    /**
     * Creates the exception.
     *
     * @param message which contract was not met, and why
     */
    public StaleReadNotAllowedException(String message) {
        super(message, null);
    }

    @Override
    public boolean isTransient() {
        return true;
    }
}
