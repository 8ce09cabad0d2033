/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import dev.freshness.FreshnessContract;
import dev.freshness.aop.ContractBoundary;
import dev.freshness.session.FreshnessSession;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Puts contexts of their own in the place of those that are bound to the thread while a call runs, and puts those back
 * where it ends, whatever the exit.
 *
 * <p>Synchronizations without a transaction, as PROPAGATION_SUPPORTS has them, are suspended meanwhile as a new
 * transaction would suspend them: they bind contexts, too.
 *
 * <p>Confined to its thread.
 */
final class OwnContexts implements ContractBoundary.Exit {

    private final Provider provider;

    private final List<Replaced> replaced;

    private @Nullable SuspendedSynchronizations suspended;

    private OwnContexts(Provider provider, List<Replaced> replaced) {
        this.provider = provider;
        this.replaced = replaced;
    }

    /** Opens contexts for a call; if one cannot be opened, nothing has changed. */
    static OwnContexts open(
            Provider provider, List<Bound> around, FreshnessContract contract, FreshnessSession session) {
        List<Replaced> replaced = new ArrayList<>(around.size());
        try {
            for (Bound bound : around) {
                EntityManager entityManager = bound.factory().createEntityManager();
                replaced.add(new Replaced(
                        bound.factory(), new OwnContext(entityManager, bound.holder(), contract, session)));
            }
        } catch (RuntimeException ex) {
            replaced.forEach(context -> context.own().closeQuietly());
            throw ex;
        }
        OwnContexts contexts = new OwnContexts(provider, replaced);
        contexts.bind();
        return contexts;
    }

    private void bind() {
        this.suspended = SuspendedSynchronizations.suspend();
        for (Replaced context : this.replaced) {
            context.own.letConnectionsAroundGo(this.provider);
            context.original = TransactionSynchronizationManager.unbindResourceIfPossible(context.factory);
            TransactionSynchronizationManager.bindResource(context.factory, context.own);
        }
    }

    @Override
    public void close() {
        for (Replaced context : this.replaced) {
            TransactionSynchronizationManager.unbindResourceIfPossible(context.factory);
            if (context.original != null) {
                TransactionSynchronizationManager.bindResource(context.factory, context.original);
            }
        }
        if (this.suspended != null) {
            this.suspended.resume();
        }
        for (Replaced context : this.replaced) {
            context.own.end(this.provider);
        }
    }

    /** A context that is bound to the thread. */
    record Bound(EntityManagerFactory factory, EntityManagerHolder holder) {}

    private static final class Replaced {

        private final EntityManagerFactory factory;

        private final OwnContext own;

        private @Nullable Object original;

        Replaced(EntityManagerFactory factory, OwnContext own) {
            this.factory = factory;
            this.own = own;
        }

        OwnContext own() {
            return this.own;
        }
    }
}
