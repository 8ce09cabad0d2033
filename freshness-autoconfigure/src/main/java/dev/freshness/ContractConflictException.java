/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

/**
 * A method joined a transaction that cannot meet its contract any more, for example one that asks for the writer and
 * joined a transaction that has already read on a replica. Not transient: the code has to open a transaction of its own
 * for the stricter method, or declare the contract on the method that begins the transaction.
 */
public final class ContractConflictException extends FreshnessException {

    /**
     * Creates the exception.
     *
     * @param message both methods, and what stands between them
     */
    public ContractConflictException(String message) {
        super(message, null);
    }

    @Override
    public boolean isTransient() {
        return false;
    }
}
