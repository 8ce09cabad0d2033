/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import dev.freshness.ContractConflictException;
import dev.freshness.jdbc.RoutedConnection;
import jakarta.persistence.EntityManager;
import org.hibernate.Session;
import org.hibernate.SessionEventListener;

/**
 * What Hibernate tells of a persistence context, and does to it.
 *
 * <p>What it does when it cannot know: a context of another provider is taken for one that cannot be cleared.
 */
final class LoadedEntities {

    private final StaleContext policy;

    LoadedEntities(StaleContext policy) {
        this.policy = policy;
    }

    /**
     * Makes sure that nothing in a context answers for what is read or written next.
     *
     * @param next what that is, for the message
     * @throws ContractConflictException if the context holds changes, or if it may not be cleared
     */
    void forget(EntityManager context, String next) {
        Session session = context.unwrap(Session.class);
        if (session.getStatistics().getEntityCount() == 0) {
            return;
        }
        if (this.policy == StaleContext.FAIL) {
            throw conflict(next, "and freshness.jpa.stale-context is fail");
        }
        if (session.isDirty()) {
            throw conflict(next, "and it holds changes that clearing it would lose");
        }
        session.clear();
    }

    private static ContractConflictException conflict(String next, String why) {
        return new ContractConflictException(
                "The persistence context may hold entities loaded from a replica, which must"
                        + " not answer for " + next + ", " + why
                        + ". Load in the method that begins the transaction, or declare the stricter contract where the entities"
                        + " are loaded");
    }

    static boolean isInTransactionOnReplica(EntityManager context) {
        return context.unwrap(Session.class)
                .doReturningWork(connection -> connection.isWrapperFor(RoutedConnection.class)
                        && connection.unwrap(RoutedConnection.class).isInTransactionOnReplica());
    }

    /** Does something when a context is closed. */
    static void whenClosed(EntityManager context, Runnable action) {
        context.unwrap(Session.class).addEventListeners(new SessionEventListener() {
            @Override
            public void end() {
                action.run();
            }
        });
    }
}
