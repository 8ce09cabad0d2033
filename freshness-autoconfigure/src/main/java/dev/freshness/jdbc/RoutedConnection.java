/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

/**
 * What a connection of ours says of its route: {@code connection.unwrap(RoutedConnection.class)}. Asking borrows nothing
 * and decides nothing.
 */
public interface RoutedConnection {

    /**
     * Whether the open transaction runs on a replica.
     *
     * @return false without a transaction, before its first statement, and on the writer
     */
    boolean isOnReplica();

    /** Gives back a connection that is idle, unless something may have been set on its session. */
    void letIdleGo();
}
