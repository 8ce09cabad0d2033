/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;

/**
 * A node that was not in recovery.
 *
 * @param sampledAt {@link System#nanoTime()} taken before the probe was sent
 * @param identity the server that answered
 * @param timeline the timeline it writes, never 0
 * @param insert its insert position, normalised: everything committed before {@code sampledAt} lies at or below
 * @param flush its flush position: everything up to here can be streamed to standbys
 * @param walWriterDelayNanos its {@code wal_writer_delay} in nanoseconds; a commit with {@code synchronous_commit=off}
 *     is flushed after at most three times as long
 */
public record PrimaryObservation(
        long sampledAt, ServerIdentity identity, int timeline, Lsn insert, Lsn flush, long walWriterDelayNanos)
        implements NodeObservation {

    /**
     * A position that includes everything that was committed on this server up to a moment, and that standbys can be
     * expected to reach.
     *
     * @param moment {@link System#nanoTime()} before this sample was taken
     * @return the flush position once everything of that moment must have been flushed, before that the insert position
     */
    public WalPosition positionAfter(long moment) {
        boolean flushed = this.sampledAt - moment >= 3 * this.walWriterDelayNanos;
        return new WalPosition(this.identity.systemIdentifier(), this.timeline, flushed ? this.flush : this.insert);
    }

    boolean isOfSameHistory(PrimaryObservation other) {
        return this.timeline == other.timeline && this.identity.equals(other.identity);
    }
}
