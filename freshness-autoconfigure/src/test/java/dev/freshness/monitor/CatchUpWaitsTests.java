/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.routing.WaitOutcome;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is looked at, and woken, by which state. */
class CatchUpWaitsTests {

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final CatchUpWaits waits = new CatchUpWaits();

    private final ExecutorService executor = Executors.newCachedThreadPool();

    private final AtomicInteger waiting = new AtomicInteger();

    private final AtomicInteger looks = new AtomicInteger();

    private final List<Long> met = Collections.synchronizedList(new ArrayList<>());

    private volatile DatabaseState state = state(0, ReplicaState.UNKNOWN_RATE);

    @BeforeEach
    void begin() {
        this.waits.begin();
    }

    @AfterEach
    void end() {
        this.waits.end();
        this.executor.shutdownNow();
    }

    private static DatabaseState state(long replay, long rate) {
        return state(new StandbyObservation(0, new ServerIdentity(7, 2), 1, new Lsn(replay), Lsn.ZERO, true), rate);
    }

    private static DatabaseState state(NodeObservation replica, long rate) {
        return new DatabaseState("default", null, List.of(new ReplicaState("r", replica, 0, true, rate)), 1);
    }

    private void publish(DatabaseState next) {
        this.state = next;
        this.waits.published(next);
    }

    private CompletableFuture<WaitOutcome> waitFor(long floor) {
        return waitFor(
                floor,
                state -> ((StandbyObservation) state.replicas().get(0).observation())
                        .replay()
                        .isAtOrPast(new Lsn(floor)));
    }

    /** Waits for a position, 0 for none. Returns once the wait has begun. */
    private CompletableFuture<WaitOutcome> waitFor(long floor, Predicate<DatabaseState> condition) {
        int before = this.waiting.get();
        Awaited awaited = new Awaited() {
            @Override
            public boolean isMet(DatabaseState state) {
                CatchUpWaitsTests.this.looks.incrementAndGet();
                boolean isMet = condition.test(state);
                if (isMet) {
                    CatchUpWaitsTests.this.met.add(floor);
                }
                return isMet;
            }

            @Override
            public WalPosition floor() {
                return floor == 0 ? null : new WalPosition(7, 1, new Lsn(floor));
            }

            @Override
            public boolean isHopeless(DatabaseState state, long nanos) {
                return floor % 2 == 0 && state.replicas().get(0).replayRate() == 0;
            }
        };
        CompletableFuture<WaitOutcome> outcome = CompletableFuture.supplyAsync(
                () -> this.waits.await(awaited, DEADLINE.toNanos(), () -> this.state, this.waiting::incrementAndGet),
                this.executor);
        await().atMost(DEADLINE).until(() -> this.waiting.get() > before);
        return outcome;
    }

    @Test
    void theLowestFloorIsWokenFirst() {
        List<CompletableFuture<WaitOutcome>> outcomes = new ArrayList<>();
        for (long floor : new long[] {30, Long.MIN_VALUE, 10, Long.MAX_VALUE, 20, 10}) {
            outcomes.add(waitFor(floor));
        }
        publish(state(-1, ReplicaState.UNKNOWN_RATE));
        assertThat(this.met).containsExactly(10L, 10L, 20L, 30L, Long.MAX_VALUE, Long.MIN_VALUE);
        assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.join()).isEqualTo(WaitOutcome.REACHED));
        assertThat(this.waits.isAnyoneWaiting()).isFalse();
    }

    @Test
    void aStateLooksOnlyAtThoseWhoseFloorIsReached() {
        List<CompletableFuture<WaitOutcome>> outcomes = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            outcomes.add(waitFor(1000 + 2 * i));
        }
        this.looks.set(0);
        publish(state(999, ReplicaState.UNKNOWN_RATE));
        assertThat(this.looks).hasValue(0);
        publish(state(1006, ReplicaState.UNKNOWN_RATE));
        assertThat(this.looks).hasValue(3);
        publish(state(1007, ReplicaState.UNKNOWN_RATE));
        assertThat(this.looks).hasValue(3);
        assertThat(outcomes.subList(0, 3))
                .allSatisfy(outcome -> assertThat(outcome.join()).isEqualTo(WaitOutcome.REACHED));
        assertThat(outcomes.subList(3, 100)).noneMatch(CompletableFuture::isDone);
        assertThat(this.waits.distanceFrom(new Lsn(1007))).isEqualTo(1);
        assertThat(this.waits.distanceFrom(new Lsn(1008))).isEqualTo(2);
        assertThat(this.waits.distanceFrom(new Lsn(1200))).isEqualTo(CatchUpWaits.NO_DISTANCE);
    }

    @Test
    void whoWaitsForNoPositionIsAlwaysLookedAt() {
        AtomicInteger turns = new AtomicInteger();
        CompletableFuture<WaitOutcome> outcome = waitFor(0, state -> turns.incrementAndGet() == 3);
        publish(state(0, ReplicaState.UNKNOWN_RATE));
        assertThat(outcome).isNotDone();
        publish(state(new FailedObservation(0, null, "down"), ReplicaState.UNKNOWN_RATE));
        assertThat(outcome.join()).isEqualTo(WaitOutcome.REACHED);
        assertThat(this.waits.distanceFrom(Lsn.ZERO)).isEqualTo(CatchUpWaits.NO_DISTANCE);
    }

    /** The floors that are even give up here when the replica stands still. */
    @Test
    void whoWaitsInVainIsToldWhenTheRateChanges() {
        CompletableFuture<WaitOutcome> gaveUp = waitFor(1000);
        CompletableFuture<WaitOutcome> goesOn = waitFor(1001);
        publish(state(10, ReplicaState.UNKNOWN_RATE));
        assertThat(gaveUp).isNotDone();
        publish(state(10, 0));
        assertThat(gaveUp.join()).isEqualTo(WaitOutcome.HOPELESS);
        publish(state(1001, 0));
        assertThat(goesOn.join()).isEqualTo(WaitOutcome.REACHED);
    }

    @Test
    void whatIsHopelessFromTheBeginningIsNotWaitedFor() {
        publish(state(10, 0));
        Awaited awaited = new Awaited() {
            @Override
            public boolean isMet(DatabaseState state) {
                return false;
            }

            @Override
            public boolean isHopeless(DatabaseState state, long nanos) {
                return nanos == 5;
            }
        };
        Runnable never = () -> {
            throw new AssertionError("waits");
        };
        assertThat(this.waits.await(awaited, 5, () -> this.state, never)).isEqualTo(WaitOutcome.HOPELESS);
        assertThat(this.waits.isAnyoneWaiting()).isFalse();
    }

    @Test
    void aWaitEndsWithItsTime() {
        assertThat(this.waits.await(state -> false, 1, () -> this.state, () -> {}))
                .isEqualTo(WaitOutcome.EXHAUSTED);
        assertThat(this.waits.isAnyoneWaiting()).isFalse();
    }
}
