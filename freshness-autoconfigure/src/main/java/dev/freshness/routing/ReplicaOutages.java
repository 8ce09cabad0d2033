/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.StandbyObservation;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Replicas to which a connection failed lately, or which stopped answering. Each is left out for a pause, longer with each
 * failure that follows soon, and after that until it was observed anew. Then one read at a time may try it, and only when
 * one got a connection it is back for all: a pool that has not noticed yet makes its borrowers wait.
 *
 * <p>What it does when it cannot know: a replica that was not observed since its failure stays out.
 *
 * <p>Thread-safe and free of locks. Owns nothing.
 */
public final class ReplicaOutages {

    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(200).toNanos();

    private static final int MOST_DOUBLINGS = 6;

    /** A try that has not ended after so long is not waited for. */
    private static final long TRY_NANOS = Duration.ofSeconds(5).toNanos();

    /** After so long without a failure the next pause is a short one again. */
    private static final long FORGOTTEN_NANOS = Duration.ofMinutes(1).toNanos();

    private final AtomicReferenceArray<@Nullable Outage> outages =
            new AtomicReferenceArray<>(DatabaseState.MAX_REPLICAS);

    private final AtomicLong out = new AtomicLong();

    /**
     * Takes a replica out, unless it has been out since the failed connection was asked for.
     *
     * @param replica its index
     * @param askedAt {@link System#nanoTime()} when the connection was asked for
     * @param now {@link System#nanoTime()}
     */
    public void failed(int replica, long askedAt, long now) {
        Outage before = this.outages.get(replica);
        if (before != null && (now - before.until() < 0 || askedAt - before.failedAt() <= 0)) {
            return;
        }
        int doublings = before == null || now - before.until() > FORGOTTEN_NANOS
                ? 0
                : Math.min(MOST_DOUBLINGS, before.doublings() + 1);
        long pause = SHORTEST_PAUSE_NANOS << doublings;
        // Many instances lose a replica at the same moment and should not all come back at the same moment.
        long until = now + pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
        if (this.outages.compareAndSet(replica, before, new Outage(now, until, doublings, now))) {
            this.out.getAndUpdate(mask -> mask | 1L << replica);
        }
    }

    /**
     * The replicas that are out.
     *
     * @param state the database
     * @param now {@link System#nanoTime()}
     * @return one bit for each replica, 0 if none is out
     */
    public long out(DatabaseState state, long now) {
        long mask = this.out.get();
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int replica = Long.numberOfTrailingZeros(rest);
            Outage outage = this.outages.get(replica);
            if (outage == null || isOver(outage, state, replica, now) && !outage.isTried(now)) {
                mask &= ~(1L << replica);
            }
        }
        return mask;
    }

    private static boolean isOver(Outage outage, DatabaseState state, int replica, long now) {
        if (now - outage.until() < 0) {
            return false;
        }
        StandbyObservation standby = state.liveStandby(state.replicas().get(replica), now);
        return standby != null && standby.sampledAt() - outage.failedAt() > 0;
    }

    /**
     * Asks whether a read may borrow from a replica that was not out a moment ago.
     *
     * @param replica its index
     * @param now {@link System#nanoTime()}
     * @return false if another read is trying it, or if it failed meanwhile
     */
    public boolean mayTry(int replica, long now) {
        if ((this.out.get() >>> replica & 1) == 0) {
            return true;
        }
        Outage outage = this.outages.get(replica);
        if (outage == null) {
            return true;
        }
        // It may have failed since the read was sent there.
        return now - outage.until() >= 0
                && !outage.isTried(now)
                && this.outages.compareAndSet(replica, outage, outage.tried(now));
    }

    /**
     * A try brought neither a connection nor a failure of the replica: the next read may try.
     *
     * @param replica its index
     * @param since {@link System#nanoTime()} that was given to {@link #mayTry}
     */
    public void gaveUp(int replica, long since) {
        Outage outage = this.outages.get(replica);
        if (outage != null && outage.isTried(since) && outage.triedAt() == since) {
            this.outages.compareAndSet(replica, outage, outage.tried(outage.failedAt()));
        }
    }

    /**
     * A replica gave a connection.
     *
     * @param replica its index
     * @param askedAt {@link System#nanoTime()} when the connection was asked for
     */
    public void gaveConnection(int replica, long askedAt) {
        if ((this.out.get() >>> replica & 1) != 0) {
            Outage outage = this.outages.get(replica);
            // One that was asked for before the failure proves nothing.
            if (outage == null || askedAt - outage.triedAt() >= 0 && outage.triedAt() != outage.failedAt()) {
                back(replica, outage);
            }
        }
    }

    /**
     * A replica did not answer the monitor. Its pause does not grow by that: the monitor sees when it answers again.
     *
     * @param replica its index
     * @param now {@link System#nanoTime()}
     */
    public void silent(int replica, long now) {
        if ((this.out.get() >>> replica & 1) == 0) {
            failed(replica, now, now);
        }
    }

    private void back(int replica, @Nullable Outage outage) {
        this.out.getAndUpdate(mask -> mask & ~(1L << replica));
        if (!Objects.equals(this.outages.get(replica), outage)) {
            // It failed again meanwhile.
            this.out.getAndUpdate(mask -> mask | 1L << replica);
        }
    }

    /**
     * A failure of a replica.
     *
     * @param failedAt {@link System#nanoTime()} of the failure
     * @param until the end of its pause
     * @param doublings how often the pause was doubled
     * @param triedAt {@link System#nanoTime()} when a read began to try it; the time of the failure if none has
     */
    private record Outage(long failedAt, long until, int doublings, long triedAt) {

        Outage tried(long now) {
            return new Outage(this.failedAt, this.until, this.doublings, now);
        }

        boolean isTried(long now) {
            return this.triedAt != this.failedAt && now - this.triedAt < TRY_NANOS;
        }
    }
}
