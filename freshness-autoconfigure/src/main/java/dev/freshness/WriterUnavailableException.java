/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

/**
 * A read that only the writer may answer found no writer: the node configured as one is in recovery. Transient: it ends
 * with the switch-over. Failed connections are not reported by this type but as the driver and the pool report them.
 */
public final class WriterUnavailableException extends FreshnessException {

    /**
     * Creates the exception.
     *
     * @param message the node and what was seen of it
     */
    public WriterUnavailableException(String message) {
        super(message, null);
    }

    @Override
    public boolean isTransient() {
        return true;
    }
}
