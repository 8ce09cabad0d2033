/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.session.ReadAttempt;
import dev.freshness.session.ThreadScope;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Sees to it that a method in which a transaction began that may write, of whatever transaction manager and on whatever
 * resource, is not run again.
 *
 * <p>What it does when it cannot know: it hears of transactions from their manager; one that an application made without
 * asking for {@link TransactionExecutionListener}s does not tell.
 *
 * <p>Stateless and thread-safe.
 */
public final class AttemptTransactions implements TransactionExecutionListener {

    /** Creates the listener. */
    public AttemptTransactions() {}

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        ThreadScope scope = ThreadScope.current();
        ReadAttempt attempt = scope == null ? null : scope.attempt();
        if (attempt != null && !transaction.isReadOnly()) {
            attempt.spoil();
        }
    }
}
