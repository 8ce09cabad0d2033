/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.ReadPriority;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How many reads of one database may run on the writer at once because no replica met their contract. Counts this
 * instance of the application only.
 *
 * <p>Guarantees that no more permits are out than the limit, but for those of {@link #takeNext}, and that a wait for one
 * ends within its time and at once by an interrupt, which stays set. Those who wait are served in turn.
 *
 * <p>Where half of the budget is kept for {@link ReadPriority#HIGH}, the others share the larger half.
 *
 * <p>Thread-safe. Owns no threads and no connections.
 */
public final class WriterFallbackBudget {

    private final WriterFallbackLimits limits;

    private final Semaphore permits;

    /** What is not kept for high priority; null if nothing is. */
    private final @Nullable Semaphore normal;

    private final AtomicInteger active = new AtomicInteger();

    private final LongAdder rejected = new LongAdder();

    /**
     * Creates a budget of which nothing is spent.
     *
     * @param limits how much there is
     */
    public WriterFallbackBudget(WriterFallbackLimits limits) {
        int limit = limits.maxConcurrent();
        this.limits = limits;
        this.permits = new Semaphore(limit, true);
        this.normal = limits.reserveForHighPriority() ? new Semaphore(limit - limit / 2, true) : null;
    }

    /**
     * Takes a permit if one is free and nobody waits for it.
     *
     * @param priority who asks
     * @return the permit, or null
     */
    public @Nullable Permit tryAcquire(ReadPriority priority) {
        Semaphore share = priority == ReadPriority.HIGH ? null : this.normal;
        if (share != null && !tryAcquire(share)) {
            return null;
        }
        if (tryAcquire(this.permits)) {
            return new Permit(this.permits, share);
        }
        if (share != null) {
            share.release();
        }
        return null;
    }

    private static boolean tryAcquire(Semaphore semaphore) {
        return !semaphore.hasQueuedThreads() && semaphore.tryAcquire();
    }

    /**
     * Waits for a permit.
     *
     * @param priority who asks
     * @param nanos how long to wait at most, in nanoseconds
     * @return the permit, or null if there was none in time
     */
    public @Nullable Permit acquire(ReadPriority priority, long nanos) {
        Semaphore share = priority == ReadPriority.HIGH ? null : this.normal;
        long deadline = System.nanoTime() + Math.max(0, nanos);
        boolean acquired = false;
        try {
            if (share == null) {
                acquired = acquire(this.permits, deadline);
            } else if (acquire(share, deadline)) {
                try {
                    acquired = acquire(this.permits, deadline);
                } finally {
                    if (!acquired) {
                        share.release();
                    }
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        if (!acquired) {
            this.rejected.increment();
            return null;
        }
        return new Permit(this.permits, share);
    }

    private static boolean acquire(Semaphore semaphore, long deadline) throws InterruptedException {
        long left = deadline - System.nanoTime();
        return left > 0 && semaphore.tryAcquire(left, TimeUnit.NANOSECONDS);
    }

    /**
     * A permit beyond the limit, for a thread that may not wait because others may be waiting for what it holds.
     *
     * @return the permit
     */
    public Permit takeNext() {
        return new Permit(null, null);
    }

    /**
     * How much there is.
     *
     * @return always the same
     */
    public WriterFallbackLimits limits() {
        return this.limits;
    }

    /**
     * How many permits are out.
     *
     * @return the number now
     */
    public int active() {
        return this.active.get();
    }

    /**
     * How often there was no permit in time.
     *
     * @return the number so far
     */
    public long rejected() {
        return this.rejected.sum();
    }

    /** Allows one read to run on the writer. Thread-safe. */
    public final class Permit {

        private final @Nullable Semaphore permits;

        private final @Nullable Semaphore share;

        private final AtomicBoolean released = new AtomicBoolean();

        private Permit(@Nullable Semaphore permits, @Nullable Semaphore share) {
            this.permits = permits;
            this.share = share;
            WriterFallbackBudget.this.active.incrementAndGet();
        }

        /** Gives the permit back. Does nothing the second time. */
        public void release() {
            if (this.released.compareAndSet(false, true)) {
                WriterFallbackBudget.this.active.decrementAndGet();
                if (this.permits != null) {
                    this.permits.release();
                }
                if (this.share != null) {
                    this.share.release();
                }
            }
        }
    }
}
