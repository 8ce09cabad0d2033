/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** How long the transactions of the calling thread may still take, by the timeouts that their managers noted. */
final class TransactionDeadline {

    private TransactionDeadline() {}

    /**
     * The shorter of a time and what the transactions have left.
     *
     * @param nanos a time
     * @return at most as long; not below 0
     */
    static long cap(long nanos) {
        long left = nanos;
        for (Object resource :
                TransactionSynchronizationManager.getResourceMap().values()) {
            if (resource instanceof ResourceHolderSupport holder && holder.hasTimeout()) {
                left = Math.min(left, nanosLeft(holder));
            }
        }
        return Math.max(0, left);
    }

    /** The holder's own method for this also marks the transaction for rollback once the time is up. */
    @SuppressWarnings("JavaUtilDate")
    private static long nanosLeft(ResourceHolderSupport holder) {
        Date deadline = holder.getDeadline();
        return deadline == null
                ? Long.MAX_VALUE
                : TimeUnit.MILLISECONDS.toNanos(deadline.getTime() - System.currentTimeMillis());
    }
}
