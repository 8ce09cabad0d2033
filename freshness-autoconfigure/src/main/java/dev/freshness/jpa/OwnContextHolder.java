/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import jakarta.persistence.EntityManager;
import org.springframework.orm.jpa.EntityManagerHolder;

/** Holds the persistence context of one call under a contract. */
final class OwnContextHolder extends EntityManagerHolder {

    private final boolean replicaAllowed;

    /**
     * Creates the holder.
     *
     * @param replicaAllowed whether the contract lets replicas answer
     */
    OwnContextHolder(EntityManager entityManager, boolean replicaAllowed) {
        super(entityManager);
        this.replicaAllowed = replicaAllowed;
    }

    boolean mayHoldReplicaEntities() {
        return this.replicaAllowed;
    }
}
