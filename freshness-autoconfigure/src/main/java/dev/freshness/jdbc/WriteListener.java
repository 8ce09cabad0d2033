/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;

/** Told of writes in sessions, on the thread that made them. Must be quick and must not throw. */
public interface WriteListener {

    /** Does nothing. */
    WriteListener NONE = new WriteListener() {};

    /**
     * A transaction on the writer was committed, or failed to be.
     *
     * @param database the database
     * @param outcome what became of it
     * @param nanos how long the commit took
     */
    default void committed(String database, CommitOutcome outcome, long nanos) {}

    /**
     * A transaction on the writer that may have written was committed on a thread without a session, so that nobody's reads
     * know of it.
     *
     * @param database the database
     */
    default void committedWithoutSession(String database) {}

    /**
     * An auto-commit statement under a contract, which speaks of reads, changed data.
     *
     * @param database the database
     * @param contract the contract in force
     */
    default void wroteUnderContract(String database, FreshnessContract contract) {}
}
