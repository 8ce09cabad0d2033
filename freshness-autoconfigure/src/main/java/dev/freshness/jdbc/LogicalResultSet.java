/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.NullUnmarked;

/** The rows of a statement of ours, or of metadata, which belong to no statement. */
@NullUnmarked
final class LogicalResultSet extends DelegatingResultSet {

    private final ResultSet target;

    private final Statement statement;

    private LogicalResultSet(ResultSet target, Statement statement) {
        this.target = target;
        this.statement = statement;
    }

    static ResultSet of(ResultSet target, Statement statement) {
        return target == null ? null : new LogicalResultSet(target, statement);
    }

    @Override
    ResultSet target() {
        return this.target;
    }

    @Override
    public Statement getStatement() throws SQLException {
        // Fails, as it should, once the rows are closed.
        this.target.getStatement();
        return this.statement;
    }
}
