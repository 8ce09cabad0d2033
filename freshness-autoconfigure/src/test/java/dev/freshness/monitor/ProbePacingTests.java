/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.topology.ReplicaState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbePacingTests {

    private static final long MILLI = 1_000_000;

    private static final long SECOND = 1000 * MILLI;

    private static final long REGULAR = 100 * MILLI;

    /** Near the point where the clock's numbers wrap around. */
    private static final long START = Long.MAX_VALUE - 3 * MILLI;

    private final ProbePacing pacing = new ProbePacing(REGULAR, START);

    private void probe(long at, long took, boolean moved) {
        this.pacing.begin(at);
        this.pacing.end(at + took, moved);
    }

    @Test
    void theFirstProbeIsDueAtOnce() {
        assertThat(this.pacing.regular() - START).isLessThanOrEqualTo(0);
        assertThat(this.pacing.soon() - START).isLessThanOrEqualTo(0);
        assertThat(this.pacing.waiting(0, ReplicaState.UNKNOWN_RATE) - START).isLessThanOrEqualTo(0);
    }

    @Test
    void aRegularProbeIsDueAnIntervalAfterTheEndOfTheOneBefore() {
        probe(START, 5 * MILLI, false);
        assertThat(this.pacing.regular() - START).isEqualTo(105 * MILLI);
    }

    @Test
    void aProbeThatIsAskedForIsDueAtOnce() {
        probe(START, 5 * MILLI, false);
        assertThat(this.pacing.soon() - START).isEqualTo(MILLI);
    }

    @ParameterizedTest
    @CsvSource({
        // bytes, bytes per second, milliseconds
        "0, -1, 1",
        "5000, -1, 1",
        "0, 1000000, 1",
        "0, 0, 1",
        "1, 1000000, 1",
        "5000, 1000000, 5",
        "20000, 1000000, 20",
        "21000, 1000000, 20",
        "9223372036854775807, 1, 20",
        "1, 0, 20"
    })
    void theIntervalIsTheTimeThatTheReplicaNeeds(long bytes, long rate, long millis) {
        probe(START, MILLI / 2, true);
        assertThat(this.pacing.waiting(bytes, rate) - START).isEqualTo(millis * MILLI);
    }

    @Test
    void theIntervalDoublesWhileThePositionStandsStill() {
        long at = START;
        List<Long> intervals = new ArrayList<>();
        probe(at, 0, true);
        for (int i = 0; i < 8; i++) {
            long next = this.pacing.waiting(0, ReplicaState.UNKNOWN_RATE);
            intervals.add((next - at) / MILLI);
            at = next;
            probe(at, 0, false);
        }
        assertThat(intervals).containsExactly(1L, 2L, 4L, 8L, 16L, 20L, 20L, 20L);
        probe(at, 0, true);
        assertThat(this.pacing.waiting(0, ReplicaState.UNKNOWN_RATE) - at).isEqualTo(MILLI);
    }

    @Test
    void whoeverJoinsBeginsTheDoublingAnew() {
        for (int i = 0; i < 10; i++) {
            probe(START + i * 20L * MILLI, 0, false);
        }
        long at = this.pacing.soon() + SECOND;
        this.pacing.joined();
        probe(at, 0, false);
        assertThat(this.pacing.waiting(0, ReplicaState.UNKNOWN_RATE) - at).isEqualTo(MILLI);
        probe(at + MILLI, 0, false);
        assertThat(this.pacing.waiting(0, ReplicaState.UNKNOWN_RATE) - at).isEqualTo(3 * MILLI);
    }

    @Test
    void aShorterMonitorIntervalHolds() {
        ProbePacing often = new ProbePacing(10 * MILLI, START);
        often.begin(START);
        often.end(START + MILLI, true);
        assertThat(often.waiting(1, 0) - START).isEqualTo(11 * MILLI);
    }

    /** Whatever is asked of it, in whatever order, after whatever rest. */
    @Test
    void noSecondHasMoreProbesThanAllowed() {
        Random random = new Random(3);
        for (int run = 0; run < 20; run++) {
            ProbePacing pacing = new ProbePacing(run % 2 == 0 ? REGULAR : MILLI, START);
            List<Long> begun = new ArrayList<>();
            long at = START;
            for (int i = 0; i < 3000; i++) {
                long due = switch (random.nextInt(3)) {
                    case 0 -> pacing.regular();
                    case 1 -> pacing.waiting(0, ReplicaState.UNKNOWN_RATE);
                    default -> pacing.soon();
                };
                at = due - at > 0 ? due : at;
                at += random.nextInt(500) == 0 ? random.nextLong(2 * SECOND) : 0;
                begun.add(at);
                pacing.begin(at);
                at += random.nextLong(run % 3 == 0 ? 1 : 3 * MILLI);
                pacing.end(at, random.nextBoolean());
            }
            assertThat(mostWithin(begun, SECOND)).isLessThanOrEqualTo(ProbePacing.MOST_PER_SECOND);
        }
    }

    /** The cap is there to be used. */
    @Test
    void aBurstIsFollowedByASteadyStream() {
        long at = START;
        List<Long> begun = new ArrayList<>();
        while (at - START <= SECOND) {
            begun.add(at);
            probe(at, 0, true);
            at = this.pacing.waiting(0, ReplicaState.UNKNOWN_RATE);
        }
        assertThat(begun.size()).isBetween(195, ProbePacing.MOST_PER_SECOND);
        assertThat(begun.get(39) - START).isEqualTo(39 * MILLI);
    }

    static int mostWithin(List<Long> times, long nanos) {
        int most = 0;
        int first = 0;
        for (int i = 0; i < times.size(); i++) {
            while (times.get(i) - times.get(first) > nanos) {
                first++;
            }
            most = Math.max(most, i - first + 1);
        }
        return most;
    }
}
