/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.ReplicaConflictException;
import org.springframework.transaction.TransactionSystemException;

/**
 * What a transaction manager made of a failed commit. A JPA provider wraps whatever the connection throws at a commit, and
 * its transaction manager wraps that once more.
 */
final class CommitFailures {

    private CommitFailures() {}

    /** The recovery conflict that failed the commit, else the failure itself. */
    static RuntimeException unwrapped(TransactionSystemException failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ReplicaConflictException conflict) {
                return conflict;
            }
        }
        return failure;
    }
}
