/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

/**
 * What a connection of a {@link FreshnessRoutingDataSource} tells of its route; {@code Connection.unwrap} gives it. Asking
 * decides nothing and borrows nothing.
 */
public interface RoutedConnection {

    /**
     * Whether the connection has a transaction open on a replica.
     *
     * @return false also before the transaction's first statement
     */
    boolean isInTransactionOnReplica();
}
