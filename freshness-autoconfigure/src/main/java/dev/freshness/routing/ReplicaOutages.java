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
 * Replicas to which a connection failed lately. Each is left out for a pause, longer with each failure that follows soon,
 * and after that until it was observed anew.
 *
 * <p>What it does when it cannot know: a replica that was not observed since its failure stays out.
 *
 * <p>Thread-safe and free of locks. Owns nothing.
 */
public final class ReplicaOutages {

    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(200).toNanos();

    private static final int MOST_DOUBLINGS = 6;

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
        if (this.outages.compareAndSet(replica, before, new Outage(now, until, doublings))) {
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
            if (outage == null || isOver(outage, state, replica, now)) {
                mask &= ~(1L << replica);
                back(replica, outage);
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
     */
    private record Outage(long failedAt, long until, int doublings) {}
}
