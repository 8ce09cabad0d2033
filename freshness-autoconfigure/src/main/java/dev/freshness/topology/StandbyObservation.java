/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;

/**
 * A node that was in recovery.
 *
 * @param sampledAt {@link System#nanoTime()} taken before the probe was sent
 * @param identity the server that answered
 * @param timeline the timeline it replays; 0 if it could not be learned
 * @param replay its replay position; {@link Lsn#ZERO} if it reported none
 * @param receive the end of what it received by streaming; {@link Lsn#ZERO} if it reported none
 * @param receiverPresent whether a WAL receiver was running
 */
public record StandbyObservation(
        long sampledAt, ServerIdentity identity, int timeline, Lsn replay, Lsn receive, boolean receiverPresent)
        implements NodeObservation {

    /**
     * Whether the standby said where it is.
     *
     * @return false if its timeline or its replay position is unknown
     */
    public boolean knowsPosition() {
        return this.timeline != 0 && !this.replay.equals(Lsn.ZERO);
    }

    /**
     * Whether everything up to a floor has been replayed.
     *
     * @param floor the position to include; {@link Lsn#ZERO} is included by any known position
     * @return true only if both are of one history and this one is at or past the floor
     */
    public boolean includes(WalPosition floor) {
        if (!knowsPosition()) {
            return false;
        }
        return floor.lsn().equals(Lsn.ZERO)
                || isOfHistory(floor.systemIdentifier(), floor.timeline()) && this.replay.isAtOrPast(floor.lsn());
    }

    /**
     * Whether positions of this standby compare with those of a cluster's timeline.
     *
     * @param systemIdentifier the cluster
     * @param timeline its timeline
     * @return true if both agree
     */
    public boolean isOfHistory(long systemIdentifier, int timeline) {
        return this.identity.systemIdentifier() == systemIdentifier && this.timeline == timeline;
    }
}
