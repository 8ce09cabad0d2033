/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import dev.freshness.wal.Lsn;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * How fast a replica replays while it has something to replay: bytes per second over the newest ten seconds.
 *
 * <p>Only time counts in which the replica was behind for certain: between two of its samples, at least a monitor interval
 * apart, of which the second had not reached what the writer was known to have flushed when the first was answered. Time
 * runs from the answer of the earlier sample to the sending of the later one, so that the replica did at least as much in
 * that time as the positions show, and a slow probe makes no replica look slower than it is.
 *
 * <p>What it does when it cannot know: the rate is unknown. All that was measured is forgotten when the replica has caught
 * up, since what it did from then on may have been nothing for want of work; when one that stood still moves; and when a
 * probe fails, the replica's position goes back, another server answers, or either history changes.
 *
 * <p>Not thread-safe; confined to whoever merges observations.
 */
public final class ReplayRate {

    private static final long WINDOW_NANOS = 10_000_000_000L;

    private static final int MOST_MARKS = 128;

    /**
     * A flush position at the end of a page can lie within a record, which no standby replays before its rest is flushed:
     * another session may sit idle in a transaction for hours before that.
     */
    private static final int PAGE = 8192;

    private final long spacing;

    private final Deque<Mark> marks = new ArrayDeque<>();

    private @Nullable PrimaryObservation writer;

    private @Nullable StandbyObservation replica;

    private @Nullable Lsn flushed;

    /**
     * Begins to measure.
     *
     * @param intervalNanos the monitor interval in nanoseconds
     */
    public ReplayRate(long intervalNanos) {
        this.spacing = Math.max(intervalNanos, WINDOW_NANOS / MOST_MARKS);
    }

    /**
     * Adds a sample of the writer.
     *
     * @param sample the sample, not older than those added before
     */
    public void addWriter(PrimaryObservation sample) {
        if (this.writer == null || !this.writer.isOfSameHistory(sample)) {
            this.marks.clear();
            this.flushed = null;
        }
        if (sample.flush().value() % PAGE != 0) {
            this.flushed = sample.flush();
        }
        this.writer = sample;
    }

    /**
     * Adds an observation of the replica.
     *
     * @param observation the observation, not older than those added before
     * @param answeredAt {@link System#nanoTime()} when it was there
     */
    public void addReplica(NodeObservation observation, long answeredAt) {
        StandbyObservation before = this.replica;
        StandbyObservation now = comparable(observation);
        this.replica = now;
        if (now == null) {
            this.marks.clear();
            return;
        }
        if (before != null && !isContinued(before, now)) {
            this.marks.clear();
        }
        Lsn target = this.flushed;
        Mark last = this.marks.peekLast();
        boolean spaced = last == null || now.sampledAt() - last.answeredAt() >= this.spacing;
        if (spaced && target != null && !now.replay().isAtOrPast(target)) {
            this.marks.add(new Mark(now.sampledAt(), answeredAt, now.replay(), target));
            leaveWindow(now.sampledAt());
        }
    }

    /** The observation if its position compares with the writer's. */
    private @Nullable StandbyObservation comparable(NodeObservation observation) {
        return this.writer != null
                        && observation instanceof StandbyObservation standby
                        && standby.knowsPosition()
                        && standby.isOfHistory(this.writer.identity().systemIdentifier(), this.writer.timeline())
                ? standby
                : null;
    }

    private boolean isContinued(StandbyObservation before, StandbyObservation now) {
        Mark last = this.marks.peekLast();
        boolean caughtUp = last != null && now.replay().isAtOrPast(last.flushed());
        boolean pauseEnded =
                last != null && bytesPerSecond() == 0 && !now.replay().equals(last.replay());
        return now.identity().equals(before.identity())
                && now.replay().isAtOrPast(before.replay())
                && !caughtUp
                && !pauseEnded;
    }

    /** The newest pair stays, however long the interval. */
    private void leaveWindow(long now) {
        while (this.marks.size() > 2 && now - this.marks.getFirst().answeredAt() > WINDOW_NANOS) {
            this.marks.removeFirst();
        }
    }

    /**
     * The rate as of the newest observation of the replica.
     *
     * @return bytes per second, 0 only if the replica stood still, or {@link ReplicaState#UNKNOWN_RATE}
     */
    public long bytesPerSecond() {
        if (this.marks.size() < 2) {
            return ReplicaState.UNKNOWN_RATE;
        }
        Mark first = this.marks.getFirst();
        Mark last = this.marks.getLast();
        double bytes = last.replay().bytesPast(first.replay());
        return (long) Math.ceil(bytes * 1e9 / (last.sampledAt() - first.answeredAt()));
    }

    private record Mark(long sampledAt, long answeredAt, Lsn replay, Lsn flushed) {}
}
