/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.wal.Lsn;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WriterPositionRingTests {

    private static final long DELAY = 10;

    private static final ServerIdentity WRITER = new ServerIdentity(7, 1);

    private static final ServerIdentity STANDBY = new ServerIdentity(7, 2);

    private final WriterPositionRing ring = new WriterPositionRing();

    private void sample(long at, long insert, long flush) {
        this.ring.add(new PrimaryObservation(at, WRITER, 1, new Lsn(insert), new Lsn(flush), DELAY));
    }

    private ReplicaState replica(long replay) {
        return this.ring.stateOf("r", new StandbyObservation(0, STANDBY, 1, new Lsn(replay), Lsn.ZERO, true));
    }

    @Test
    void aReplicaThatReplayedAnInsertSampleIsAsFreshAsThatSample() {
        sample(100, 10, 10);
        sample(200, 20, 20);
        sample(300, 30, 30);
        assertThat(replica(25).stalenessBound(350)).isEqualTo(150);
        assertThat(replica(30).stalenessBound(350)).isEqualTo(50);
    }

    @Test
    void onAnIdleWriterStalenessDoesNotGrow() {
        for (int at = 0; at < 100_000; at += 100) {
            sample(at, 10, 10);
        }
        assertThat(replica(10).stalenessBound(100_000)).isEqualTo(100);
    }

    /** Another session idle in a transaction keeps the insert position out of a standby's reach. */
    @Test
    void theFlushPositionCountsWhereTheInsertPositionIsOutOfReach() {
        sample(100, 90, 90);
        for (int at = 200; at <= 2000; at += 100) {
            sample(at, 200, 150);
        }
        assertThat(replica(150).stalenessBound(2000)).isEqualTo(3 * DELAY);
        assertThat(replica(149).stalenessBound(2000)).isEqualTo(1900);
    }

    @Test
    void behindTheOldestSampleNothingIsKnown() {
        assertThat(replica(5).freshnessKnown()).isFalse();
        sample(100, 10, 10);
        assertThat(replica(5).freshnessKnown()).isFalse();
        assertThat(replica(5).stalenessBound(100)).isEqualTo(ReplicaState.UNKNOWN_STALENESS);
    }

    @Test
    void anotherHistoryIsNotKnown() {
        sample(100, 10, 10);
        StandbyObservation otherTimeline = new StandbyObservation(0, STANDBY, 2, new Lsn(50), Lsn.ZERO, true);
        StandbyObservation otherCluster =
                new StandbyObservation(0, new ServerIdentity(8, 2), 1, new Lsn(50), Lsn.ZERO, true);
        assertThat(this.ring.stateOf("r", otherTimeline).freshnessKnown()).isFalse();
        assertThat(this.ring.stateOf("r", otherCluster).freshnessKnown()).isFalse();
        assertThat(this.ring.stateOf("r", null).freshnessKnown()).isFalse();
    }

    @Test
    void aRestartedWriterBeginsAnew() {
        sample(100, 10, 10);
        this.ring.add(new PrimaryObservation(200, new ServerIdentity(7, 99), 1, new Lsn(20), new Lsn(20), DELAY));
        assertThat(replica(15).freshnessKnown()).isFalse();
        assertThat(replica(20).stalenessBound(200)).isZero();
    }

    /** Whatever is thinned out, a bound is never below the truth, and never above it by more than the thinning explains. */
    @Test
    void neverClaimsMoreThanTheTruth() {
        Random random = new Random(42);
        long[] insertAt = new long[5000];
        long insert = 1000;
        for (int i = 0; i < insertAt.length; i++) {
            insert += random.nextInt(50);
            insertAt[i] = insert;
            sample(i, insert, insert);
        }
        int now = insertAt.length - 1;
        for (int i = 0; i < 2000; i++) {
            long replay = 1000 + random.nextLong(insert - 999);
            int truth = now;
            while (truth >= 0 && insertAt[truth] > replay) {
                truth--;
            }
            ReplicaState replica = replica(replay);
            if (replica.freshnessKnown()) {
                assertThat(replica.freshAsOf()).isLessThanOrEqualTo(truth);
            }
            if (now - truth < 500) {
                assertThat(replica.freshAsOf()).isEqualTo(truth);
            }
        }
    }
}
