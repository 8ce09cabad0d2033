/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.wal;

/**
 * A place in the write-ahead log of one cluster and timeline. Positions compare only within one history: the same
 * number on another cluster or timeline can name another write.
 *
 * <p>Immutable and thread-safe.
 *
 * @param systemIdentifier the cluster, as {@code pg_control_system()} reports it; an unsigned 64-bit number that a
 *     primary shares with its standbys and with copies of its data directory
 * @param timeline the timeline, 1 or higher, to be read as unsigned
 * @param lsn the offset within it
 * @see <a href="https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-TIMELINES">PostgreSQL:
 *     timelines</a>
 */
public record WalPosition(long systemIdentifier, int timeline, Lsn lsn) {

    /**
     * @throws IllegalArgumentException if the timeline is 0, which PostgreSQL never uses
     */
    public WalPosition {
        if (timeline == 0) {
            throw new IllegalArgumentException("Timeline 0 does not exist");
        }
    }

    /**
     * Tells whether two positions can be compared at all.
     *
     * @param other another position
     * @return true if both are of one cluster and one timeline
     */
    public boolean isOfSameHistory(WalPosition other) {
        return this.systemIdentifier == other.systemIdentifier && this.timeline == other.timeline;
    }

    /**
     * Tells whether a node that has replayed up to this position has replayed the other one.
     *
     * @param floor the position to include
     * @return true only if both are of one history and this one is at or past the floor
     */
    public boolean includes(WalPosition floor) {
        return isOfSameHistory(floor) && this.lsn.isAtOrPast(floor.lsn);
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(this.systemIdentifier) + ":" + Integer.toUnsignedString(this.timeline) + ":"
                + this.lsn;
    }
}
