/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.wal.Lsn;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplayRateTests {

    private static final long MILLI = 1_000_000;

    private static final long SECOND = 1000 * MILLI;

    private static final long INTERVAL = 100 * MILLI;

    private static final ServerIdentity WRITER = new ServerIdentity(7, 1);

    private static final ServerIdentity STANDBY = new ServerIdentity(7, 2);

    private final ReplayRate rate = new ReplayRate(INTERVAL);

    private void flushed(long flush) {
        this.rate.addWriter(new PrimaryObservation(0, WRITER, 1, new Lsn(flush), new Lsn(flush), 0));
    }

    private long replayed(long millis, long replay) {
        return replayed(STANDBY, 1, millis * MILLI, millis * MILLI, replay);
    }

    private long replayed(ServerIdentity identity, int timeline, long sentAt, long answeredAt, long replay) {
        this.rate.addReplica(
                new StandbyObservation(sentAt, identity, timeline, new Lsn(replay), Lsn.ZERO, true), answeredAt);
        return this.rate.bytesPerSecond();
    }

    private void assertUnknown(long bytesPerSecond) {
        assertThat(bytesPerSecond).isEqualTo(ReplicaState.UNKNOWN_RATE);
    }

    @Test
    void withoutASampleOfTheWriterNothingIsKnown() {
        assertUnknown(replayed(0, 10));
        assertUnknown(replayed(100, 10));
        assertUnknown(this.rate.bytesPerSecond());
    }

    @Test
    void countsWhatWasReplayedBehindTheWriter() {
        flushed(1001);
        assertUnknown(replayed(0, 100));
        assertThat(replayed(100, 150)).isEqualTo(500);
        assertThat(replayed(200, 170)).isEqualTo(350);
    }

    @Test
    void aReplicaThatStandsStillHasARateOfZero() {
        flushed(1001);
        assertUnknown(replayed(0, 100));
        assertThat(replayed(100, 100)).isZero();
        assertThat(replayed(60_000, 100)).isZero();
    }

    @Test
    void samplesCloserThanAnIntervalMakeNoPair() {
        flushed(1001);
        replayed(0, 100);
        assertUnknown(replayed(99, 100));
        assertThat(replayed(100, 101)).isEqualTo(10);
        assertThat(replayed(199, 999)).isEqualTo(10);
    }

    /** What it did after it was there may have been nothing for want of work. */
    @Test
    void aReplicaThatReachedWhatWasFlushedHasNoKnownRate() {
        flushed(1001);
        replayed(0, 100);
        replayed(100, 200);
        flushed(5001);
        assertUnknown(replayed(200, 1001));
        // From here it is behind the newer position.
        assertThat(replayed(300, 1201)).isEqualTo(2000);
    }

    @Test
    void aSampleBetweenTwoOfAPairTellsOfTheEndOfWorkToo() {
        flushed(1001);
        replayed(0, 100);
        replayed(50, 1001);
        flushed(2001);
        assertUnknown(replayed(100, 1001));
        assertThat(replayed(200, 1001)).isZero();
    }

    @Test
    void aReplicaThatIsNotBehindIsNotSlow() {
        flushed(1001);
        for (int millis = 0; millis < 1000; millis += 100) {
            assertUnknown(replayed(millis, 1001));
        }
    }

    @Test
    void aPauseThatEndedDoesNotCount() {
        flushed(100_001);
        for (int millis = 0; millis <= 5000; millis += 100) {
            replayed(millis, 100);
        }
        assertThat(this.rate.bytesPerSecond()).isZero();
        assertUnknown(replayed(5010, 150));
        assertThat(replayed(5110, 250)).isEqualTo(1000);
    }

    @Test
    void onlyTheNewestTenSecondsCount() {
        flushed(1_000_001);
        long replay = 1;
        for (int millis = 0; millis <= 20_000; millis += 100) {
            replayed(millis, replay);
            replay += millis < 10_000 ? 1000 : 10;
        }
        assertThat(this.rate.bytesPerSecond()).isEqualTo(100);
    }

    @Test
    void anIntervalLongerThanTheWindowHasTheNewestPair() {
        ReplayRate slow = new ReplayRate(60 * SECOND);
        slow.addWriter(new PrimaryObservation(0, WRITER, 1, new Lsn(100_001), new Lsn(100_001), 0));
        for (int i = 0; i < 5; i++) {
            slow.addReplica(
                    new StandbyObservation(i * 60L * SECOND, STANDBY, 1, new Lsn(1 + i * 600L), Lsn.ZERO, true),
                    i * 60L * SECOND);
        }
        assertThat(slow.bytesPerSecond()).isEqualTo(10);
    }

    @Test
    void whateverDoesNotCompareIsForgotten() {
        flushed(1001);
        Runnable known = () -> {
            replayed(0, 100);
            assertThat(replayed(100, 110)).isEqualTo(100);
        };
        known.run();
        assertUnknown(replayed(200, 105));
        flushed(1001);
        this.rate.addReplica(new FailedObservation(0, null, "down"), 0);
        known.run();
        this.rate.addReplica(new FailedObservation(0, null, "down"), 0);
        assertUnknown(this.rate.bytesPerSecond());
        known.run();
        assertUnknown(replayed(new ServerIdentity(7, 3), 1, 200 * MILLI, 200 * MILLI, 120));
        this.rate.addReplica(new FailedObservation(0, null, "down"), 0);
        known.run();
        assertUnknown(replayed(STANDBY, 2, 200 * MILLI, 200 * MILLI, 120));
        known.run();
        assertUnknown(replayed(STANDBY, 1, 200 * MILLI, 200 * MILLI, 0));
        known.run();
        this.rate.addWriter(new PrimaryObservation(0, new ServerIdentity(7, 9), 1, new Lsn(901), new Lsn(901), 0));
        assertUnknown(this.rate.bytesPerSecond());
    }

    /** The end of a page can lie within a record, and nothing follows while its session is idle. */
    @Test
    void theEndOfAPageIsNothingToBeBehind() {
        flushed(8192);
        replayed(0, 8100);
        assertUnknown(replayed(100, 8100));
        flushed(8300);
        replayed(200, 8100);
        assertThat(replayed(300, 8100)).isZero();
        flushed(16384);
        assertThat(replayed(400, 8100)).isZero();
        assertUnknown(replayed(500, 8300));
        assertUnknown(replayed(600, 8300));
    }

    @Test
    void positionsAreUnsigned() {
        flushed(Long.MIN_VALUE + 1001);
        replayed(0, Long.MAX_VALUE - 99);
        assertThat(replayed(100, Long.MIN_VALUE)).isEqualTo(1000);
    }

    /**
     * A replica of known speed, work in bursts, and probes that take as long as they like: time without work is never
     * counted, so the rate is never below the speed.
     */
    @Test
    void neverSaysLessThanTheReplicaCanDo() {
        Random random = new Random(7);
        int known = 0;
        for (int run = 0; run < 200; run++) {
            ReplayRate measured = new ReplayRate(INTERVAL);
            double speed = 100 + random.nextInt(100_000);
            double flush = 1;
            double replay = 1;
            long now = 0;
            for (int step = 0; step < 400; step++) {
                // Some time passes, at its end some work may come; then either node is probed while more time passes.
                long passed = random.nextLong(60 * MILLI);
                now += passed;
                replay = Math.min(flush, replay + speed * passed / SECOND);
                flush += random.nextInt(4) == 0 ? random.nextInt(40_000) : 0;
                if (random.nextInt(3) == 0) {
                    PrimaryObservation sample =
                            new PrimaryObservation(now, WRITER, 1, new Lsn((long) flush), new Lsn((long) flush), 0);
                    measured.addWriter(sample);
                    continue;
                }
                long before = random.nextLong(30 * MILLI);
                long after = random.nextLong(200 * MILLI);
                double read = Math.min(flush, replay + speed * before / SECOND);
                StandbyObservation sample =
                        new StandbyObservation(now, STANDBY, 1, new Lsn((long) read), Lsn.ZERO, true);
                now += before + after;
                replay = Math.min(flush, replay + speed * (before + after) / SECOND);
                measured.addReplica(sample, now);
                if (measured.bytesPerSecond() != ReplicaState.UNKNOWN_RATE) {
                    known++;
                    // Whole bytes: a position can be rounded down by almost one.
                    assertThat(measured.bytesPerSecond()).isGreaterThanOrEqualTo((long) speed - 11);
                }
            }
        }
        assertThat(known).isGreaterThan(1000);
    }

    @Test
    void theLeastTimeToAPositionFollowsFromTheRate() {
        StandbyObservation standby = new StandbyObservation(0, STANDBY, 1, new Lsn(100), Lsn.ZERO, true);
        ReplicaState unknown = new ReplicaState("r", standby, 0, true);
        assertThat(unknown.leastNanosTo(new Lsn(1100))).isZero();
        assertThat(unknown.withReplayRate(1000).leastNanosTo(new Lsn(1100))).isEqualTo(SECOND);
        assertThat(unknown.withReplayRate(1000).leastNanosTo(new Lsn(100))).isZero();
        assertThat(unknown.withReplayRate(0).leastNanosTo(new Lsn(101))).isEqualTo(Long.MAX_VALUE);
        assertThat(unknown.withReplayRate(1).leastNanosTo(new Lsn(-1))).isEqualTo(Long.MAX_VALUE);
        assertThat(unknown.withReplayRate(5).withReplayRate(ReplicaState.UNKNOWN_RATE))
                .isEqualTo(unknown);
    }
}
