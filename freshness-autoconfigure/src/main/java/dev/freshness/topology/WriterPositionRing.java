/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The writer's recent positions, from which a replica's staleness is derived without any clock but this JVM's.
 *
 * <p>Everything committed before a sample of the writer was sent lies at or below that sample's insert position. So a
 * replica that has replayed an insert sample includes everything of that sample's time. A replica that has replayed a
 * flush sample includes everything that was committed three times {@code wal_writer_delay} earlier, since by then even
 * asynchronous commits are flushed. The flush side matters on a writer where another session sits idle in a transaction:
 * its insert position can lie beyond what standbys receive for ten seconds and more.
 *
 * <p>On an idle writer the newest sample moves on with the time, so a replica that has replayed everything stays fresh.
 * When the writer cannot be sampled, staleness grows by itself.
 *
 * <p>What it does when it cannot know: a replica of another history, one behind the oldest sample, or one without a
 * position has no known freshness. The ring is emptied when the writer's history changes. When it is full, older samples
 * are thinned out, which can only make a bound larger.
 *
 * <p>Not thread-safe; confined to whoever merges observations.
 *
 * @see <a href="https://www.postgresql.org/docs/current/wal-async-commit.html">PostgreSQL: asynchronous commit</a>
 */
public final class WriterPositionRing {

    private static final int CAPACITY = 1024;

    private final long[] times = new long[CAPACITY];

    private final long[] inserts = new long[CAPACITY];

    private final long[] flushes = new long[CAPACITY];

    private int size;

    private @Nullable PrimaryObservation newest;

    /**
     * Adds a sample of the writer.
     *
     * @param sample the sample, not older than those added before
     */
    public void add(PrimaryObservation sample) {
        PrimaryObservation previous = this.newest;
        if (previous != null && !previous.isOfSameHistory(sample)) {
            this.size = 0;
        } else if (previous != null
                && previous.insert().equals(sample.insert())
                && previous.flush().equals(sample.flush())) {
            this.size--;
        }
        if (this.size == CAPACITY) {
            thinOut();
        }
        this.times[this.size] = sample.sampledAt();
        this.inserts[this.size] = sample.insert().value();
        this.flushes[this.size] = sample.flush().value();
        this.size++;
        this.newest = sample;
    }

    /**
     * Derives what a replica's newest observation says about its staleness.
     *
     * @param name the replica's name
     * @param observation its newest observation, null for none
     * @return its state
     */
    public ReplicaState stateOf(String name, @Nullable NodeObservation observation) {
        PrimaryObservation writer = this.newest;
        if (writer == null
                || !(observation instanceof StandbyObservation standby)
                || !standby.knowsPosition()
                || !standby.isOfHistory(writer.identity().systemIdentifier(), writer.timeline())) {
            return new ReplicaState(name, observation, 0, false);
        }
        long replay = standby.replay().value();
        int insert = newestAtOrBelow(this.inserts, replay);
        int flush = newestAtOrBelow(this.flushes, replay);
        if (insert < 0 && flush < 0) {
            return new ReplicaState(name, observation, 0, false);
        }
        long byFlush = flush < 0 ? 0 : this.times[flush] - 3 * writer.walWriterDelayNanos();
        long byInsert = insert < 0 ? byFlush : this.times[insert];
        long freshAsOf = flush >= 0 && byFlush - byInsert > 0 ? byFlush : byInsert;
        return new ReplicaState(name, observation, freshAsOf, true);
    }

    private int newestAtOrBelow(long[] positions, long limit) {
        int low = 0;
        int high = this.size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(positions[middle], limit) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    private void thinOut() {
        int kept = 0;
        int half = CAPACITY / 2;
        for (int i = 0; i < CAPACITY; i++) {
            if (i >= half || i % 2 == 0) {
                this.times[kept] = this.times[i];
                this.inserts[kept] = this.inserts[i];
                this.flushes[kept] = this.flushes[i];
                kept++;
            }
        }
        Arrays.fill(this.times, kept, CAPACITY, 0);
        this.size = kept;
    }
}
