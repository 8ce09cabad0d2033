/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Where a read ran, by what the server said in the same transaction.
 *
 * @param inRecovery whether the server was a standby
 * @param port the port it listens on, which tells the nodes of one machine apart
 * @param pid the backend
 * @param value what was read
 */
record Where(
        boolean inRecovery, int port, int pid, @Nullable String value) {

    /** Reads an item, and where it was read, in one statement. */
    static Where read(JdbcClient jdbc, int id) {
        return jdbc.sql("select pg_is_in_recovery(), inet_server_port(), pg_backend_pid(),"
                        + " (select name from item where id = ?)")
                .param(id)
                .query((row, number) -> new Where(row.getBoolean(1), row.getInt(2), row.getInt(3), row.getString(4)))
                .single();
    }
}
