/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.routing.WaitOutcome;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for a state of some kind, in the order of their floors. Whoever publishes a state looks through those whose
 * floor some replica has reached and wakes the ones it will do for, the lowest floor first; the others cost it nothing.
 * Only when a replica's rate or role has changed is everybody looked at, to wake those who wait in vain.
 *
 * <p>Guarantees that no state is missed that was published after a wait began, that a wait ends by its deadline, by an
 * interrupt or by {@link #end}, and that nobody is left on the list.
 *
 * <p>Thread-safe. Waiting threads park and hold no lock, so virtual threads are not pinned. Owns no threads.
 */
final class CatchUpWaits {

    /** Nobody waits for a position above. */
    static final long NO_DISTANCE = 0;

    private final ConcurrentNavigableMap<Place, Waiter> waiters = new ConcurrentSkipListMap<>();

    private final AtomicLong order = new AtomicLong();

    private volatile @Nullable DatabaseState judged;

    private volatile boolean ended = true;

    boolean isAnyoneWaiting() {
        return !this.waiters.isEmpty();
    }

    /**
     * How far it is from a position to the nearest one that somebody waits for.
     *
     * @return bytes, or {@link #NO_DISTANCE}
     */
    long distanceFrom(Lsn position) {
        Place next = this.waiters.higherKey(Place.last(position));
        return next == null ? NO_DISTANCE : next.floor.bytesPast(position);
    }

    /** Allows waits, until {@link #end}. */
    void begin() {
        this.ended = false;
    }

    /** Ends every wait and allows no more. */
    void end() {
        this.ended = true;
        this.waiters.values().forEach(waiter -> LockSupport.unpark(waiter.thread));
    }

    /** Called with each new state. */
    void published(DatabaseState state) {
        if (this.waiters.isEmpty()) {
            return;
        }
        for (Map.Entry<Place, Waiter> entry :
                this.waiters.headMap(Place.last(highestReplay(state)), true).entrySet()) {
            if (entry.getValue().awaited.isMet(state)) {
                wake(entry, WaitOutcome.REACHED);
            }
        }
        DatabaseState before = this.judged;
        if (before == null || prospectsDiffer(before.replicas(), state.replicas())) {
            this.judged = state;
            wakeHopeless(state);
        }
    }

    private void wakeHopeless(DatabaseState state) {
        long now = System.nanoTime();
        for (Map.Entry<Place, Waiter> entry : this.waiters.entrySet()) {
            Waiter waiter = entry.getValue();
            if (waiter.awaited.isHopeless(state, waiter.deadline - now)) {
                wake(entry, WaitOutcome.HOPELESS);
            }
        }
    }

    private void wake(Map.Entry<Place, Waiter> entry, WaitOutcome outcome) {
        // Off the list before it runs: the next state need not look at it, and nobody else wakes it for another reason.
        Waiter waiter = this.waiters.remove(entry.getKey());
        if (waiter != null) {
            waiter.outcome = outcome;
            LockSupport.unpark(waiter.thread);
        }
    }

    private static Lsn highestReplay(DatabaseState state) {
        Lsn highest = Lsn.ZERO;
        for (ReplicaState replica : state.replicas()) {
            if (replica.observation() instanceof StandbyObservation standby && !highest.isAtOrPast(standby.replay())) {
                highest = standby.replay();
            }
        }
        return highest;
    }

    private static boolean prospectsDiffer(List<ReplicaState> before, List<ReplicaState> after) {
        for (int i = 0; i < before.size(); i++) {
            if (before.get(i).replayRate() != after.get(i).replayRate()
                    || kind(before.get(i).observation()) != kind(after.get(i).observation())) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Class<?> kind(@Nullable NodeObservation observation) {
        return observation == null ? null : observation.getClass();
    }

    /**
     * Waits until a published state will do.
     *
     * @param newest the newest state
     * @param onWaiting run once the caller is on the list, to hurry the probes
     */
    WaitOutcome await(Awaited awaited, long nanos, Supplier<DatabaseState> newest, Runnable onWaiting) {
        Waiter waiter = new Waiter(awaited, Thread.currentThread(), System.nanoTime() + nanos);
        WalPosition floor = awaited.floor();
        Place place = new Place(floor == null ? Lsn.ZERO : floor.lsn(), this.order.getAndIncrement());
        this.waiters.put(place, waiter);
        try {
            // Looked at again from the list: a state published in between woke nobody.
            DatabaseState state = newest.get();
            if (awaited.isMet(state)) {
                return WaitOutcome.REACHED;
            }
            if (awaited.isHopeless(state, nanos)) {
                return WaitOutcome.HOPELESS;
            }
            onWaiting.run();
            while (true) {
                WaitOutcome outcome = waiter.outcome;
                if (outcome != null) {
                    return outcome;
                }
                if (this.ended || waiter.thread.isInterrupted()) {
                    return WaitOutcome.ENDED;
                }
                long left = waiter.deadline - System.nanoTime();
                if (left <= 0) {
                    return WaitOutcome.EXHAUSTED;
                }
                LockSupport.parkNanos(this, left);
            }
        } finally {
            this.waiters.remove(place);
        }
    }

    /**
     * A place in the order: by floor, then first come first served.
     *
     * @param floor the position waited for; zero for none, which every state is at
     * @param number in the order of arrival
     */
    private record Place(Lsn floor, long number) implements Comparable<Place> {

        static Place last(Lsn floor) {
            return new Place(floor, Long.MAX_VALUE);
        }

        @Override
        public int compareTo(Place other) {
            int byFloor = this.floor.compareTo(other.floor);
            return byFloor != 0 ? byFloor : Long.compare(this.number, other.number);
        }
    }

    private static final class Waiter {

        private final Awaited awaited;

        private final Thread thread;

        private final long deadline;

        private volatile @Nullable WaitOutcome outcome;

        Waiter(Awaited awaited, Thread thread, long deadline) {
            this.awaited = awaited;
            this.thread = thread;
            this.deadline = deadline;
        }
    }
}
