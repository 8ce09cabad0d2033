/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.routing.FreshnessRouter;
import dev.freshness.routing.Reason;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.session.Floor;
import dev.freshness.topology.DatabaseState;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * H05: positions compared as text, so that "behind" reads as "ahead". The whole path is checked, from what the server
 * reports to the decision.
 */
class FieldCaseH05Tests {

    @ParameterizedTest
    @CsvSource({
        "F/FFFFFFFF, 10/0, false",
        "9/FFFFFFFF, A/0, false",
        "1/FF, 1/100, false",
        "7FFFFFFF/FFFFFFFF, 80000000/0, false",
        "10/0, F/FFFFFFFF, true",
        "A/0, 9/FFFFFFFF, true",
        "1/100, 1/FF, true",
        "80000000/0, 7FFFFFFF/FFFFFFFF, true",
        "10/0, 10/0, true",
        "A/0, A/0, true",
        "1/100, 1/100, true",
        "80000000/0, 80000000/0, true",
        "0/01737658, 0/1737658, true",
        "1/0, 0/0, true"
    })
    void aReplicaIsEligibleOnceItReplayedTheFloor(String replay, String floor, boolean eligible) {
        long now = System.nanoTime();
        ObservationBoard board = new ObservationBoard(
                DatabaseState.unobserved(
                        "default", List.of("replica-1"), Duration.ofSeconds(2).toNanos()),
                Duration.ofMillis(100));
        board.accept(
                ObservationBoard.WRITER,
                new ProbeRow(false, 7, 1, "0/1", "0/1", "00000001", null, null, 0, "200ms", "16MB", "8192")
                        .toObservation(now));
        board.accept(
                0,
                new ProbeRow(true, 7, 2, null, null, "1", replay, replay, 1, "200ms", "16MB", "8192")
                        .toObservation(now));

        RoutingDecision decision = new FreshnessRouter()
                .decide(
                        new FreshnessContract(
                                FreshnessMode.READ_YOUR_WRITES,
                                Duration.ofSeconds(30),
                                Duration.ZERO,
                                OnUnmet.WRITER,
                                "H05"),
                        new Floor.At(new WalPosition(7, 1, Lsn.parse(floor))),
                        board.state(),
                        now,
                        -1,
                        0);

        assertThat(decision.isReplica()).isEqualTo(eligible);
        assertThat(decision.reason()).isEqualTo(eligible ? Reason.CONTRACT_MET : Reason.BEHIND_FLOOR);
    }
}
