/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Transactions for Spring Session on a pool: each is a new one and ends by itself, as those that Spring Session would
 * make. Their manager is no bean, so that the application's stays the only one.
 */
final class SessionTransactions {

    private SessionTransactions() {}

    static TransactionOperations on(DataSource pool) {
        TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
        transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return transactions;
    }
}
