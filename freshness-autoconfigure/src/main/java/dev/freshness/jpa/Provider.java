/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import jakarta.persistence.EntityManager;

/**
 * What the persistence provider can tell of a persistence context and do for it. The defaults are those of a provider
 * that is not known: every answer is the one that leads to no stale read and no lost update.
 *
 * <p>Thread-safe.
 */
interface Provider {

    /** A provider of which nothing is known. */
    Provider UNKNOWN = new Provider() {};

    /** Whether nothing was loaded into a context. */
    default boolean isEmpty(EntityManager context) {
        return false;
    }

    /** Whether something in a context would be written by a flush. */
    default boolean isDirty(EntityManager context) {
        return true;
    }

    /** Whether a context's open transaction runs on a replica, as far as is known. */
    default boolean isOnReplica(EntityManager context) {
        return true;
    }

    /** Gives back the connection that a context holds and does not need now. Never throws. */
    default void letIdleConnectionGo(EntityManager context) {}

    /**
     * Keeps a context of a call that has ended open as long as the one around the call, so that associations load.
     *
     * @return false if that cannot be; the caller closes it then. Never throws
     */
    default boolean keepOpen(OwnContext ended) {
        return false;
    }
}
