/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import dev.freshness.session.FreshnessSession;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Goes with a transaction and knows how often the session had written when its persistence context was last empty.
 *
 * <p>What it does when it cannot know, since nobody told it that the transaction began: only a session that has written
 * nothing at all has written nothing since.
 */
final class SeenWrites implements TransactionSynchronization {

    private FreshnessSession session;

    private int writes;

    private SeenWrites(FreshnessSession session) {
        this.session = session;
        this.writes = session.writes();
    }

    static boolean areAllOf(FreshnessSession session) {
        SeenWrites seen = find();
        return seen == null ? session.writes() == 0 : seen.session == session && seen.writes == session.writes();
    }

    /** The context of the transaction is empty. */
    static void note(FreshnessSession session) {
        SeenWrites seen = find();
        if (seen != null) {
            seen.session = session;
            seen.writes = session.writes();
        } else if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new SeenWrites(session));
        }
    }

    private static @Nullable SeenWrites find() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            for (TransactionSynchronization any : TransactionSynchronizationManager.getSynchronizations()) {
                if (any instanceof SeenWrites seen) {
                    return seen;
                }
            }
        }
        return null;
    }
}
