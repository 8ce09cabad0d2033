/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.topology.DatabaseState;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Replicas that an operator has taken out of this instance's rotation, for a reason and for a time.
 *
 * <p>Guarantees that no unit begins on a replica that is out, and that each comes back by itself when its time is over. What
 * runs on it already goes on there.
 *
 * <p>Thread-safe and free of locks. Owns nothing.
 */
public final class TakenOutReplicas {

    private final AtomicReferenceArray<@Nullable TakenOut> replicas =
            new AtomicReferenceArray<>(DatabaseState.MAX_REPLICAS);

    /** Those that may be out; the time of some may be over. */
    private final AtomicLong mask = new AtomicLong();

    /**
     * Takes a replica out. One that is out already is out for the new reason and time.
     *
     * @param replica its index
     * @param reason why, for other operators
     * @param duration for how long, more than zero
     * @param now {@link System#nanoTime()}
     */
    public void takeOut(int replica, String reason, Duration duration, long now) {
        this.replicas.set(replica, new TakenOut(reason, Instant.now().plus(duration), now + duration.toNanos()));
        this.mask.getAndUpdate(before -> before | 1L << replica);
    }

    /**
     * Puts a replica back.
     *
     * @param replica its index
     * @param now {@link System#nanoTime()}
     * @return whether it was out
     */
    public boolean putBack(int replica, long now) {
        boolean wasOut = takenOut(replica, now) != null;
        this.replicas.set(replica, null);
        this.mask.getAndUpdate(before -> before & ~(1L << replica));
        return wasOut;
    }

    /**
     * Those that are out.
     *
     * @param now {@link System#nanoTime()}
     * @return one bit for each replica, 0 if none is out
     */
    public long out(long now) {
        long out = this.mask.get();
        for (long rest = out; rest != 0; rest &= rest - 1) {
            int replica = Long.numberOfTrailingZeros(rest);
            if (takenOut(replica, now) == null) {
                out &= ~(1L << replica);
            }
        }
        return out;
    }

    /**
     * Why a replica is out.
     *
     * @param replica its index
     * @param now {@link System#nanoTime()}
     * @return null if it is not out
     */
    public @Nullable TakenOut takenOut(int replica, long now) {
        TakenOut takenOut = this.replicas.get(replica);
        return takenOut == null || takenOut.endsAt() - now <= 0 ? null : takenOut;
    }

    /**
     * A replica that is out.
     *
     * @param reason why
     * @param until when it comes back by itself, by the clock of this machine
     * @param endsAt the same as {@link System#nanoTime()}
     */
    public record TakenOut(String reason, Instant until, long endsAt) {}
}
