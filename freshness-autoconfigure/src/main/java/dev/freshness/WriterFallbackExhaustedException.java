/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

/**
 * No replica met the contract, and no more reads may fall back to the writer at the moment: as many as
 * {@code freshness.writer-fallback.max-concurrent} allows did so already, for as long as this one was ready to wait.
 * Transient.
 */
public class WriterFallbackExhaustedException extends StaleReadNotAllowedException {

    /**
     * Creates the exception.
     *
     * @param message which contract was not met, and why
     */
    public WriterFallbackExhaustedException(String message) {
        super(message);
    }
}
