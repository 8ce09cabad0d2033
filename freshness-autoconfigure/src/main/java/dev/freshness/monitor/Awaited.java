/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.DatabaseState;
import dev.freshness.wal.WalPosition;
import org.jspecify.annotations.Nullable;

/**
 * What somebody waits for.
 *
 * <p>Its methods are called on several threads, must be quick and must not throw.
 */
@FunctionalInterface
public interface Awaited {

    /**
     * Tells whether a state will do.
     *
     * @param state a state that is or was the newest
     * @return true to end the wait
     */
    boolean isMet(DatabaseState state);

    /**
     * A position below which no state will do. States in which no replica is there are not looked at, and probes come as
     * the replicas near it.
     *
     * @return the position, null if there is none: then every state is looked at
     */
    default @Nullable WalPosition floor() {
        return null;
    }

    /**
     * Tells whether there is nothing to wait for. Asked when the wait begins and when a replica's rate or role changes.
     *
     * @param state a state that is or was the newest
     * @param nanos what is left of the wait
     * @return true to end the wait
     */
    default boolean isHopeless(DatabaseState state, long nanos) {
        return false;
    }
}
