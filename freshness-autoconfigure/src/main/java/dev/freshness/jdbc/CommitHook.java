/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Makes sure that the floor is known when the first after-commit callback runs, also where a transaction manager commits
 * in another way than by {@code Connection.commit()} of ours.
 *
 * <p>What it does when it cannot know: a transaction whose outcome is unknown may have been committed.
 */
final class CommitHook implements TransactionSynchronization {

    private final Runnable committedElsewhere;

    /**
     * Creates the hook.
     *
     * @param committedElsewhere does nothing if the transaction was committed through its connection
     */
    CommitHook(Runnable committedElsewhere) {
        this.committedElsewhere = committedElsewhere;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
        this.committedElsewhere.run();
    }

    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_UNKNOWN) {
            this.committedElsewhere.run();
        }
    }
}
