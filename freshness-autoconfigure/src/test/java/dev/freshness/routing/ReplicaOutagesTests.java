/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplicaOutagesTests {

    private static final long START = 1_000_000_000_000L;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final ReplicaOutages outages = new ReplicaOutages();

    /** Three replicas, each observed at the same time. */
    private static DatabaseState observedAt(long sampledAt) {
        StandbyObservation standby =
                new StandbyObservation(sampledAt, new ServerIdentity(7, 1), 1, new Lsn(100), new Lsn(100), true);
        List<ReplicaState> replicas = IntStream.range(0, 3)
                .mapToObj(i -> new ReplicaState("r" + i, standby, sampledAt, true, ReplicaState.UNKNOWN_RATE))
                .toList();
        return new DatabaseState("default", null, replicas, 3600 * SECOND);
    }

    private static DatabaseState justObserved(long now) {
        return observedAt(now - 1);
    }

    @Test
    void nothingIsOutAtFirst() {
        assertThat(this.outages.out(justObserved(START), START)).isZero();
    }

    @Test
    void aReplicaIsOutAtOnceAndOthersAreNot() {
        this.outages.failed(1, START - 1, START);
        assertThat(this.outages.out(justObserved(START), START)).isEqualTo(0b010);
        this.outages.failed(2, START - 1, START);
        assertThat(this.outages.out(justObserved(START), START)).isEqualTo(0b110);
    }

    @Test
    void itComesBackAfterThePauseAndANewObservation() {
        this.outages.failed(1, START - 1, START);
        long later = START + SECOND;
        assertThat(this.outages.out(observedAt(START - 1), later))
                .as("seen before")
                .isEqualTo(0b010);
        assertThat(this.outages.out(observedAt(START), later))
                .as("seen just then")
                .isEqualTo(0b010);
        assertThat(this.outages.out(observedAt(START + 1), later))
                .as("seen anew")
                .isZero();
    }

    /** A pool that has not noticed yet makes its borrowers wait: one of them is enough. */
    @Test
    void oneReadTriesItBeforeTheOthers() {
        this.outages.failed(1, START - 1, START);
        long later = START + SECOND;
        DatabaseState state = justObserved(later);
        assertThat(this.outages.out(state, later)).isZero();
        assertThat(this.outages.mayTry(0, later)).isTrue();
        assertThat(this.outages.mayTry(1, later)).isTrue();
        assertThat(this.outages.mayTry(1, later)).as("while that goes on").isFalse();
        assertThat(this.outages.out(state, later + 1)).isEqualTo(0b010);
        this.outages.gaveConnection(1, START - 1);
        assertThat(this.outages.out(state, later + 1)).as("asked for before").isEqualTo(0b010);
        this.outages.gaveConnection(1, later);
        assertThat(this.outages.out(state, later + 1)).isZero();
        assertThat(this.outages.mayTry(1, later + 1)).isTrue();
        assertThat(this.outages.mayTry(1, later + 1)).as("for all").isTrue();
    }

    @Test
    void aTryThatFailsMakesAnotherPauseAndOneThatNeverEndsIsNotWaitedFor() {
        this.outages.failed(1, START - 1, START);
        long later = START + SECOND;
        assertThat(this.outages.mayTry(1, later)).isTrue();
        this.outages.failed(1, later, later + 1);
        assertThat(this.outages.out(justObserved(later + 2), later + 2)).isEqualTo(0b010);
        long muchLater = later + SECOND;
        assertThat(this.outages.mayTry(1, muchLater)).isTrue();
        long afterAll = muchLater + 6 * SECOND;
        assertThat(this.outages.out(justObserved(afterAll), afterAll)).isZero();
        assertThat(this.outages.mayTry(1, afterAll)).isTrue();
    }

    @Test
    void nobodyTriesItBeforeItsPauseIsOver() {
        this.outages.failed(1, START - 1, START);
        assertThat(this.outages.mayTry(1, START + 1)).isFalse();
    }

    @Test
    void aTryThatProvedNothingLeavesTheNextToAnother() {
        this.outages.failed(1, START - 1, START);
        long later = START + SECOND;
        assertThat(this.outages.mayTry(1, later)).isTrue();
        this.outages.gaveUp(1, later - 1);
        assertThat(this.outages.mayTry(1, later + 1)).as("another's").isFalse();
        this.outages.gaveUp(1, later);
        assertThat(this.outages.out(justObserved(later + 1), later + 1)).isZero();
        assertThat(this.outages.mayTry(1, later + 1)).isTrue();
    }

    @Test
    void silenceTakesItOutAndDoesNotMakeThePauseGrow() {
        this.outages.silent(1, START);
        for (int i = 1; i < 100; i++) {
            this.outages.silent(1, START + i * SECOND);
        }
        long later = START + 99 * SECOND + 1;
        assertThat(this.outages.out(observedAt(START), later)).isEqualTo(0b010);
        assertThat(this.outages.out(observedAt(START + 1), later)).isZero();
    }

    @Test
    void aNewObservationAloneDoesNotBringItBack() {
        this.outages.failed(1, START - 1, START);
        assertThat(this.outages.out(observedAt(START + 1), START + 2)).isEqualTo(0b010);
    }

    /** How long a replica is out after a failure, with new observations all the time. */
    private long pauseAfter(long failedAt) {
        this.outages.failed(1, failedAt - 1, failedAt);
        long step = Duration.ofMillis(1).toNanos();
        long now = failedAt;
        while (this.outages.out(justObserved(now), now) != 0) {
            now += step;
        }
        assertThat(this.outages.mayTry(1, now)).isTrue();
        this.outages.gaveConnection(1, now);
        return now - failedAt;
    }

    @Test
    void pausesGrowWithFailuresThatFollowSoonAndAreBounded() {
        List<Long> pauses = new ArrayList<>();
        long now = START;
        for (int i = 0; i < 12; i++) {
            long pause = pauseAfter(now);
            pauses.add(Duration.ofNanos(pause).toMillis());
            now += pause + SECOND;
        }
        // Half of each pause is random, so that the next but one is longer in any case.
        for (int i = 2; i < 7; i++) {
            assertThat(pauses.get(i)).as("pauses %s", pauses).isGreaterThanOrEqualTo(pauses.get(i - 2));
        }
        assertThat(pauses.get(0)).isBetween(100L, 201L);
        assertThat(pauses).allSatisfy(pause -> assertThat(pause).isBetween(100L, 12_801L));
        assertThat(Duration.ofNanos(pauseAfter(now + 61 * SECOND)).toMillis())
                .as("after a quiet minute")
                .isBetween(100L, 201L);
    }

    @Test
    void failuresOfConnectionsAskedForBeforeCountOnce() {
        this.outages.failed(1, START - 2, START);
        long back = START + SECOND;
        assertThat(this.outages.mayTry(1, back)).isTrue();
        this.outages.gaveConnection(1, back);
        assertThat(this.outages.out(justObserved(back), back)).isZero();
        this.outages.failed(1, START - 1, back);
        assertThat(this.outages.out(justObserved(back), back))
                .as("asked for before")
                .isZero();
        this.outages.failed(1, START + 1, back);
        assertThat(this.outages.out(justObserved(back), back))
                .as("asked for after")
                .isEqualTo(0b010);
    }

    @Test
    void manyThreadsThatFailTogetherMakeOnePause() {
        IntStream.range(0, 64).parallel().forEach(i -> this.outages.failed(1, START - i, START + i));
        long later = START + SECOND;
        assertThat(this.outages.out(justObserved(later), later)).isZero();
    }
}
