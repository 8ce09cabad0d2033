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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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

    private static final int MOST_NOTES = 10_000;

    private final ConcurrentNavigableMap<Place, Waiter> waiters = new ConcurrentSkipListMap<>();

    private final AtomicLong order = new AtomicLong();

    private final AtomicInteger notes = new AtomicInteger();

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
        this.waiters.entrySet().forEach(entry -> wake(entry, WaitOutcome.ENDED));
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
        if (this.notes.get() > 0) {
            expireNotes();
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
            waiter.end(outcome);
        }
    }

    /** Nobody is there to notice that the time of a note is up. */
    private void expireNotes() {
        long now = System.nanoTime();
        for (Map.Entry<Place, Waiter> entry : this.waiters.entrySet()) {
            if (entry.getValue() instanceof Note note && note.deadline - now <= 0) {
                wake(entry, WaitOutcome.EXHAUSTED);
            }
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
        Sleeper waiter = new Sleeper(awaited, Thread.currentThread(), System.nanoTime() + nanos);
        Place place = place(awaited);
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
     * Notes how a wait would end. Of more than {@link #MOST_NOTES} at a time nobody can tell in time, and those count as not
     * reached.
     *
     * @param newest the newest state
     * @param onWaiting run once the note is on the list, to hurry the probes
     * @param then told how it would have ended
     */
    void note(
            Awaited awaited,
            long nanos,
            Supplier<DatabaseState> newest,
            Runnable onWaiting,
            Consumer<WaitOutcome> then) {
        if (this.notes.incrementAndGet() > MOST_NOTES) {
            this.notes.decrementAndGet();
            then.accept(WaitOutcome.EXHAUSTED);
            return;
        }
        Place place = place(awaited);
        Note note = new Note(awaited, System.nanoTime() + nanos, outcome -> {
            this.notes.decrementAndGet();
            then.accept(outcome);
        });
        this.waiters.put(place, note);
        DatabaseState state = newest.get();
        WaitOutcome atOnce = this.ended
                ? WaitOutcome.ENDED
                : awaited.isMet(state)
                        ? WaitOutcome.REACHED
                        : awaited.isHopeless(state, nanos) ? WaitOutcome.HOPELESS : null;
        if (atOnce == null) {
            onWaiting.run();
        } else if (this.waiters.remove(place) != null) {
            note.end(atOnce);
        }
    }

    private Place place(Awaited awaited) {
        WalPosition floor = awaited.floor();
        return new Place(floor == null ? Lsn.ZERO : floor.lsn(), this.order.getAndIncrement());
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

    private abstract static sealed class Waiter {

        final Awaited awaited;

        final long deadline;

        Waiter(Awaited awaited, long deadline) {
            this.awaited = awaited;
            this.deadline = deadline;
        }

        abstract void end(WaitOutcome outcome);
    }

    /** A thread that waits. */
    private static final class Sleeper extends Waiter {

        private final Thread thread;

        private volatile @Nullable WaitOutcome outcome;

        Sleeper(Awaited awaited, Thread thread, long deadline) {
            super(awaited, deadline);
            this.thread = thread;
        }

        @Override
        void end(WaitOutcome how) {
            this.outcome = how;
            LockSupport.unpark(this.thread);
        }
    }

    /** A wait that nobody spends time on. */
    private static final class Note extends Waiter {

        private final Consumer<WaitOutcome> then;

        Note(Awaited awaited, long deadline, Consumer<WaitOutcome> then) {
            super(awaited, deadline);
            this.then = then;
        }

        /** What came after the deadline came too late for whoever would have waited. */
        @Override
        void end(WaitOutcome how) {
            boolean late = how == WaitOutcome.REACHED && this.deadline - System.nanoTime() < 0;
            this.then.accept(late ? WaitOutcome.EXHAUSTED : how);
        }
    }
}
