/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.WalPosition;
import org.jspecify.annotations.Nullable;

/**
 * What the monotonic reads of a session owe to those before them. What a read saw lies at or below any position that its
 * node reports later. Until such a report only that node, and the writer, are sure to have it.
 *
 * <p>What it does when it cannot know: the node stays the only one, and if that is gone, the writer. A position of the
 * writer does for a replica, too, which can only replay what the writer has flushed.
 *
 * <p>Immutable and thread-safe.
 *
 * @param floor what the reads before the newest are known to owe to
 * @param node the node of the newest read: the index of a replica, {@link #WRITER}, {@link #SEVERAL} or {@link #NO_NODE}
 * @param server the server it ran on, null if not known
 * @param timeline the timeline of that server, 0 if not known
 * @param since {@link System#nanoTime()} after the newest read
 * @param pending whether the newest read's position is not known yet
 */
public record ReadFloor(
        Floor floor, int node, @Nullable ServerIdentity server, int timeline, long since, boolean pending) {

    /** The index of the writer; replicas count from 0. */
    public static final int WRITER = -1;

    /** Nothing was read. */
    public static final int NO_NODE = -2;

    /** Several replicas: only the writer is sure to have what they have shown. */
    public static final int SEVERAL = -3;

    private static final ReadFloor NONE = new ReadFloor(Floor.none(), NO_NODE, null, 0, 0, false);

    /**
     * What a session owes that has read nothing.
     *
     * @return always the same one
     */
    public static ReadFloor none() {
        return NONE;
    }

    /**
     * This after another read.
     *
     * @param on the index of the replica it ran on, or {@link #WRITER}
     * @param ranOn the server it ran on, null if not known
     * @param ofTimeline the timeline of that server, 0 if not known
     * @param now {@link System#nanoTime()} after the read
     * @return what is owed now
     */
    ReadFloor readOn(int on, @Nullable ServerIdentity ranOn, int ofTimeline, long now) {
        boolean elsewhere = this.pending && (this.node != on || !isOn(ranOn));
        if (!elsewhere) {
            return new ReadFloor(this.floor, on, ranOn, ofTimeline, now, true);
        }
        if (this.node == WRITER && on != WRITER) {
            return new ReadFloor(this.floor, WRITER, this.server, this.timeline, now, true);
        }
        return new ReadFloor(this.floor, on == WRITER ? WRITER : SEVERAL, ranOn, ofTimeline, now, true);
    }

    private boolean isOn(@Nullable ServerIdentity other) {
        return this.server != null && this.server.equals(other);
    }

    /**
     * This in the light of what is known of the nodes.
     *
     * @param state the database
     * @param now {@link System#nanoTime()}
     * @return this, or one that is not pending
     */
    ReadFloor resolvedBy(DatabaseState state, long now) {
        if (!this.pending || this.server == null) {
            return this;
        }
        if (this.node >= 0) {
            StandbyObservation standby = state.liveStandby(state.replicas().get(this.node), now);
            if (standby != null && this.server.equals(standby.identity())) {
                return standby.sampledAt() - this.since > 0 && standby.knowsPosition()
                        ? settled(new WalPosition(
                                standby.identity().systemIdentifier(), standby.timeline(), standby.replay()))
                        : this;
            }
        }
        PrimaryObservation writer = state.livePrimary(now);
        boolean vouches = writer != null
                && writer.sampledAt() - this.since > 0
                && writer.timeline() == this.timeline
                && isVouchedForBy(writer.identity());
        return writer != null && vouches ? settled(writer.positionAfter(this.since)) : this;
    }

    /** What was read on the writer may be gone with its restart; what a replica has shown was flushed before. */
    private boolean isVouchedForBy(ServerIdentity writer) {
        return this.node == WRITER
                ? writer.equals(this.server)
                : this.server != null && writer.systemIdentifier() == this.server.systemIdentifier();
    }

    private ReadFloor settled(WalPosition position) {
        return new ReadFloor(
                this.floor.and(new Floor.At(position)), this.node, this.server, this.timeline, this.since, false);
    }
}
