/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The synchronizations of a thread that has no transaction, set aside. Confined to its thread. */
final class SuspendedSynchronizations {

    private final List<TransactionSynchronization> synchronizations;

    private final @Nullable String name = TransactionSynchronizationManager.getCurrentTransactionName();

    private final boolean readOnly = TransactionSynchronizationManager.isCurrentTransactionReadOnly();

    private final @Nullable Integer isolation = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();

    private SuspendedSynchronizations(List<TransactionSynchronization> synchronizations) {
        this.synchronizations = synchronizations;
    }

    static @Nullable SuspendedSynchronizations suspend() {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            return null;
        }
        SuspendedSynchronizations suspended =
                new SuspendedSynchronizations(TransactionSynchronizationManager.getSynchronizations());
        suspended.synchronizations.forEach(TransactionSynchronization::suspend);
        TransactionSynchronizationManager.clear();
        return suspended;
    }

    void resume() {
        TransactionSynchronizationManager.setCurrentTransactionName(this.name);
        TransactionSynchronizationManager.setCurrentTransactionReadOnly(this.readOnly);
        TransactionSynchronizationManager.setCurrentTransactionIsolationLevel(this.isolation);
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.clearSynchronization();
        }
        TransactionSynchronizationManager.initSynchronization();
        for (TransactionSynchronization synchronization : this.synchronizations) {
            synchronization.resume();
            TransactionSynchronizationManager.registerSynchronization(synchronization);
        }
    }
}
