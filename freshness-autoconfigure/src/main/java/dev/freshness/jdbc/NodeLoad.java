/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * How busy this instance keeps one pool: how many hold one of its connections or wait for one, and how long the recent
 * ones took from asking for a connection to giving it back.
 *
 * <p>Guarantees that a use counts from before its connection is asked for until the connection is gone, once.
 *
 * <p>What it does when it cannot know: latencies are kept without a lock, so of two uses that end at the same time one may
 * not count. A pool that was not used lately is taken to be quick, so that it is tried again.
 *
 * <p>Thread-safe.
 */
final class NodeLoad {

    /** Shorter ones count as this: below it is noise, and a latency that is not known must not look like none. */
    private static final long SHORTEST_MICROS = 10_000;

    private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

    /** A new latency has a share of one eighth in the average. */
    private static final int SMOOTHING = 3;

    /** One report of a minute among look-ups of a millisecond says little about the node. */
    private static final int MOST_GROWTH = 8;

    private final AtomicInteger inFlight = new AtomicInteger();

    /** The average of latencies as of {@link #updatedAt}. */
    private volatile long averageMicros;

    private volatile long updatedAt = System.nanoTime();

    /** Notes that somebody is about to ask for a connection. */
    Use begin() {
        this.inFlight.incrementAndGet();
        return new Use(this, System.nanoTime());
    }

    /** How many hold a connection or wait for one. */
    int inFlight() {
        return this.inFlight.get();
    }

    /** Whether a connection was given back since a moment, as from a server that answers. */
    boolean endedSince(long moment) {
        return this.updatedAt - moment > 0;
    }

    /** Microseconds that everybody here and one more would take one after the other. */
    long load(long now) {
        return (this.inFlight.get() + 1L) * Math.max(SHORTEST_MICROS, recentMicros(now));
    }

    /** The average, halved for each second in which no use ended. */
    private long recentMicros(long now) {
        long idleSeconds = Math.max(0, now - this.updatedAt) / TimeUnit.SECONDS.toNanos(1);
        return this.averageMicros >>> Math.min(idleSeconds, Long.SIZE - 1);
    }

    /** Takes a latency into the average. */
    void took(long nanos, long now) {
        long before = Math.max(SHORTEST_MICROS, recentMicros(now));
        long micros = Math.min(Math.min(TimeUnit.NANOSECONDS.toMicros(nanos), LONGEST_MICROS), before * MOST_GROWTH);
        this.averageMicros = before + (micros - before >> SMOOTHING);
        this.updatedAt = now;
    }

    /** One use of the pool. It ends once, whoever says so first. */
    static final class Use {

        private static final AtomicIntegerFieldUpdater<Use> ENDED =
                AtomicIntegerFieldUpdater.newUpdater(Use.class, "ended");

        private final NodeLoad load;

        private final long begunAt;

        private volatile int ended;

        private Use(NodeLoad load, long begunAt) {
            this.load = load;
            this.begunAt = begunAt;
        }

        /** {@link System#nanoTime()} when it began. */
        long begunAt() {
            return this.begunAt;
        }

        /** The connection went back. */
        void end() {
            if (isFirstToEnd()) {
                long now = System.nanoTime();
                this.load.took(now - this.begunAt, now);
            }
        }

        /** There was no connection or it was thrown away. How long that took says nothing: failures can be quick. */
        void fail() {
            isFirstToEnd();
        }

        private boolean isFirstToEnd() {
            boolean first = this.ended == 0 && ENDED.compareAndSet(this, 0, 1);
            if (first) {
                this.load.inFlight.decrementAndGet();
            }
            return first;
        }
    }
}
