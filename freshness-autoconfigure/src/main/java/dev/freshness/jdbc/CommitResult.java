/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.WalPosition;
import org.jspecify.annotations.Nullable;

/** What is known after a commit that did not fail. */
sealed interface CommitResult {

    /** Nothing that a standby could show was committed. */
    record NothingWritten() implements CommitResult {}

    /**
     * Something was committed, at or below a position.
     *
     * @param position the position
     * @param askedAt {@link System#nanoTime()} before it was asked for
     * @param writer the server that answered
     */
    record Captured(WalPosition position, long askedAt, ServerIdentity writer) implements CommitResult {}

    /**
     * Something may have been committed, and its position is not known.
     *
     * @param writer the server that took it, null if not known
     * @param asked whether the position was asked for, in vain
     */
    record Unknown(@Nullable ServerIdentity writer, boolean asked) implements CommitResult {}
}
