/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What was set on a logical connection, kept until there is a physical one to set it on. Null means that nothing was set.
 * Confined to its connection.
 */
final class ConnectionSettings {

    boolean autoCommit = true;

    boolean readOnly;

    @Nullable
    Integer isolation;

    @Nullable
    Integer holdability;

    @Nullable
    String schema;

    @Nullable
    Properties clientInfo;

    @Nullable
    Executor networkTimeoutExecutor;

    int networkTimeout;

    /**
     * Brings an idle physical connection to these settings. Sends only what differs; auto-commit comes last, since from
     * then on the next statement begins a transaction.
     */
    void applyTo(Lease lease) throws SQLException {
        lease.readOnly(this.readOnly);
        if (this.isolation != null) {
            lease.isolation(this.isolation);
        }
        if (this.holdability != null) {
            lease.holdability(this.holdability);
        }
        if (this.schema != null) {
            lease.schema(this.schema);
        }
        if (this.clientInfo != null) {
            lease.clientInfo(this.clientInfo);
        }
        if (this.networkTimeoutExecutor != null) {
            lease.networkTimeout(this.networkTimeoutExecutor, this.networkTimeout);
        }
        lease.autoCommit(this.autoCommit);
    }
}
