/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

/**
 * A replica cancelled a read because it stood in the way of replay: a recovery conflict. Says nothing about the replica's
 * health. Transient: the same work, begun anew in a transaction of its own, is likely to succeed; its transaction is lost
 * in any case.
 *
 * @see <a href="https://www.postgresql.org/docs/current/hot-standby.html#HOT-STANDBY-CONFLICT">PostgreSQL: handling query
 *     conflicts</a>
 */
public class ReplicaConflictException extends FreshnessException {

    /**
     * Creates the exception.
     *
     * @param message what was cancelled, and where
     * @param cause the database's own exception
     */
    public ReplicaConflictException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public boolean isTransient() {
        return true;
    }
}
