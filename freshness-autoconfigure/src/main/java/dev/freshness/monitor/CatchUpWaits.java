/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.DatabaseState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Those who wait for a state of some kind. Whoever publishes a state looks through them and wakes the ones it will do for.
 *
 * <p>Guarantees that no state is missed that was published after a wait began, that a wait ends by its deadline, by an
 * interrupt or by {@link #end}, and that nobody is left on the list.
 *
 * <p>Thread-safe. Waiting threads park and hold no lock, so virtual threads are not pinned. Owns no threads.
 */
final class CatchUpWaits {

    private final List<Waiter> waiters = new CopyOnWriteArrayList<>();

    private volatile boolean ended = true;

    boolean isAnyoneWaiting() {
        return !this.waiters.isEmpty();
    }

    /** Allows waits, until {@link #end}. */
    void begin() {
        this.ended = false;
    }

    /** Ends every wait and allows no more. */
    void end() {
        this.ended = true;
        this.waiters.forEach(waiter -> LockSupport.unpark(waiter.thread));
    }

    /** Called with each new state. */
    void published(DatabaseState state) {
        for (Waiter waiter : this.waiters) {
            if (waiter.condition.test(state)) {
                waiter.met = true;
                LockSupport.unpark(waiter.thread);
            }
        }
    }

    /**
     * Waits until a published state meets a condition.
     *
     * @param newest the newest state
     * @param onWaiting run once the caller is on the list, to hurry the probes
     */
    boolean await(Predicate<DatabaseState> condition, long nanos, Supplier<DatabaseState> newest, Runnable onWaiting) {
        long deadline = System.nanoTime() + nanos;
        Waiter waiter = new Waiter(condition, Thread.currentThread());
        this.waiters.add(waiter);
        try {
            // Looked at again from the list: a state published in between woke nobody.
            if (condition.test(newest.get())) {
                return true;
            }
            onWaiting.run();
            while (!waiter.met) {
                long left = deadline - System.nanoTime();
                if (left <= 0 || this.ended || waiter.thread.isInterrupted()) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
            }
            return true;
        } finally {
            this.waiters.remove(waiter);
        }
    }

    private static final class Waiter {

        private final Predicate<DatabaseState> condition;

        private final Thread thread;

        private volatile boolean met;

        Waiter(Predicate<DatabaseState> condition, Thread thread) {
            this.condition = condition;
            this.thread = thread;
        }
    }
}
