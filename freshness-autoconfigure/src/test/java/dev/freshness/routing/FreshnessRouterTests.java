/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.session.Floor;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The decision table, row by row. */
class FreshnessRouterTests {

    private static final long NOW = 1_000_000_000_000L;

    private static final long TTL = Duration.ofSeconds(2).toNanos();

    private static final long SYSTEM = 7;

    private static final NodeObservation PRIMARY = primary(NOW - 1);

    private static final Floor UNKNOWN = Floor.unknown(NOW - 10);

    private final FreshnessRouter router = new FreshnessRouter();

    private static NodeObservation primary(long at) {
        return new PrimaryObservation(at, new ServerIdentity(SYSTEM, 1), 1, new Lsn(1000), new Lsn(1000), 200_000_000);
    }

    private static NodeObservation standby(long at, int timeline, long replay) {
        return new StandbyObservation(
                at, new ServerIdentity(SYSTEM, 2), timeline, new Lsn(replay), new Lsn(replay), true);
    }

    private static ReplicaState replica(long replay, Duration staleness) {
        return new ReplicaState("r", standby(NOW - 1, 1, replay), NOW - staleness.toNanos(), true);
    }

    private static Floor at(long lsn) {
        return new Floor.At(new WalPosition(SYSTEM, 1, new Lsn(lsn)));
    }

    private static DatabaseState state(@Nullable NodeObservation writer, ReplicaState... replicas) {
        return new DatabaseState("default", writer, List.of(replicas), TTL);
    }

    private static FreshnessContract contract(FreshnessMode mode, OnUnmet onUnmet) {
        return new FreshnessContract(mode, Duration.ofSeconds(30), Duration.ZERO, onUnmet, "Test.read");
    }

    private RoutingDecision decide(FreshnessMode mode, OnUnmet onUnmet, Floor floor, DatabaseState state) {
        return this.router.decide(contract(mode, onUnmet), floor, state, NOW, -1, 0);
    }

    private static final ReplicaState CURRENT = replica(1000, Duration.ofMillis(100));

    private static final ReplicaState OLD = replica(500, Duration.ofSeconds(60));

    @Test
    void authoritativeGoesToTheWriterWhateverTheFloor() {
        for (Floor floor : List.of(Floor.none(), at(1), UNKNOWN)) {
            for (NodeObservation writer : Arrays.asList(PRIMARY, null, new FailedObservation(NOW, null, "down"))) {
                assertThat(decide(FreshnessMode.AUTHORITATIVE_NOW, OnUnmet.WRITER, floor, state(writer, CURRENT)))
                        .isEqualTo(RoutingDecision.writer(Reason.AUTHORITATIVE));
            }
        }
    }

    @Test
    void authoritativeIsRefusedWhileTheWriterIsInRecovery() {
        DatabaseState state = state(standby(NOW - 1, 1, 1000), CURRENT);
        assertThat(decide(FreshnessMode.AUTHORITATIVE_NOW, OnUnmet.WRITER, Floor.none(), state))
                .isEqualTo(RoutingDecision.rejected(Reason.WRITER_IN_RECOVERY));
    }

    @Test
    void eventualGoesToAReplicaWithinItsBound() {
        assertThat(decide(FreshnessMode.EVENTUAL, OnUnmet.WRITER, UNKNOWN, state(PRIMARY, OLD, CURRENT)))
                .isEqualTo(RoutingDecision.replica(Outcome.REPLICA, Reason.CONTRACT_MET, 1));
    }

    @Test
    void eventualBeyondItsBoundFollowsThePolicy() {
        DatabaseState state = state(PRIMARY, OLD);
        assertThat(decide(FreshnessMode.EVENTUAL, OnUnmet.WRITER, Floor.none(), state))
                .isEqualTo(RoutingDecision.fallback(Reason.TOO_STALE));
        assertThat(decide(FreshnessMode.EVENTUAL, OnUnmet.REJECT, Floor.none(), state))
                .isEqualTo(RoutingDecision.rejected(Reason.TOO_STALE));
        assertThat(decide(FreshnessMode.EVENTUAL, OnUnmet.STALE, Floor.none(), state))
                .isEqualTo(RoutingDecision.replica(Outcome.STALE, Reason.TOO_STALE, 0));
    }

    @Test
    void staleTakesTheLeastStaleLiveReplicaAndElseTheWriter() {
        ReplicaState older = replica(400, Duration.ofSeconds(90));
        ReplicaState gone = new ReplicaState("r", new FailedObservation(NOW, null, "down"), 0, false);
        assertThat(decide(FreshnessMode.EVENTUAL, OnUnmet.STALE, Floor.none(), state(null, older, OLD, gone)))
                .isEqualTo(RoutingDecision.replica(Outcome.STALE, Reason.TOO_STALE, 1));
        assertThat(decide(FreshnessMode.EVENTUAL, OnUnmet.STALE, Floor.none(), state(PRIMARY, gone)))
                .isEqualTo(RoutingDecision.fallback(Reason.PROBE_FAILED));
    }

    @Test
    void readYourWritesWithoutAFloorIsBoundedByStalenessOnly() {
        assertThat(decide(FreshnessMode.READ_YOUR_WRITES, OnUnmet.WRITER, Floor.none(), state(PRIMARY, CURRENT)))
                .isEqualTo(RoutingDecision.replica(Outcome.REPLICA, Reason.CONTRACT_MET, 0));
        assertThat(decide(FreshnessMode.READ_YOUR_WRITES, OnUnmet.WRITER, Floor.none(), state(PRIMARY, OLD)))
                .isEqualTo(RoutingDecision.fallback(Reason.TOO_STALE));
    }

    /** A write whose floor has ended must not be missing either. */
    @Test
    void readYourWritesIsBoundedByTheLifeOfFloorsWhateverTheFloor() {
        FreshnessRouter forgetful = new FreshnessRouter(
                new RoutingSettings(ReplicaChoice.DEFAULT, Duration.ofSeconds(10)), ReplicaLoads.NONE);
        FreshnessContract readYourWrites = contract(FreshnessMode.READ_YOUR_WRITES, OnUnmet.WRITER);
        for (Floor floor : List.of(Floor.none(), at(1000))) {
            assertThat(forgetful
                            .decide(readYourWrites, floor, state(PRIMARY, replica(1000, seconds(10))), NOW, -1, 0)
                            .outcome())
                    .isEqualTo(Outcome.REPLICA);
            DatabaseState older = state(PRIMARY, replica(1000, seconds(11)));
            assertThat(forgetful.decide(readYourWrites, floor, older, NOW, -1, 0))
                    .isEqualTo(RoutingDecision.fallback(Reason.TOO_STALE));
            assertThat(this.router.decide(readYourWrites, floor, older, NOW, -1, 0))
                    .isEqualTo(RoutingDecision.met(0));
            assertThat(forgetful.decide(contract(FreshnessMode.EVENTUAL, OnUnmet.WRITER), floor, older, NOW, -1, 0))
                    .isEqualTo(RoutingDecision.met(0));
        }
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void readYourWritesGoesToAReplicaAtOrPastItsFloor() {
        DatabaseState state = state(PRIMARY, replica(500, Duration.ofMillis(100)), CURRENT);
        assertThat(decide(FreshnessMode.READ_YOUR_WRITES, OnUnmet.WRITER, at(1000), state)
                        .replica())
                .isEqualTo(1);
        assertThat(decide(FreshnessMode.READ_YOUR_WRITES, OnUnmet.WRITER, at(1001), state))
                .isEqualTo(RoutingDecision.fallback(Reason.BEHIND_FLOOR));
        assertThat(decide(FreshnessMode.READ_YOUR_WRITES, OnUnmet.REJECT, at(1001), state))
                .isEqualTo(RoutingDecision.rejected(Reason.BEHIND_FLOOR));
    }

    @Test
    void anUnknownFloorIsMetByTheWriterOnly() {
        DatabaseState state = state(PRIMARY, CURRENT);
        assertThat(decide(FreshnessMode.READ_YOUR_WRITES, OnUnmet.WRITER, UNKNOWN, state))
                .isEqualTo(RoutingDecision.fallback(Reason.FLOOR_UNKNOWN));
        assertThat(decide(FreshnessMode.READ_YOUR_WRITES, OnUnmet.REJECT, UNKNOWN, state))
                .isEqualTo(RoutingDecision.rejected(Reason.FLOOR_UNKNOWN));
    }

    @Test
    void positionsCompareOnlyWithinOneHistory() {
        ReplicaState otherTimeline = new ReplicaState("r", standby(NOW - 1, 2, 5000), NOW, true);
        assertThat(decide(FreshnessMode.READ_YOUR_WRITES, OnUnmet.WRITER, at(1000), state(PRIMARY, otherTimeline)))
                .isEqualTo(RoutingDecision.fallback(Reason.OTHER_HISTORY));
        Floor otherCluster = new Floor.At(new WalPosition(8, 1, new Lsn(1)));
        assertThat(decide(FreshnessMode.READ_YOUR_WRITES, OnUnmet.WRITER, otherCluster, state(PRIMARY, CURRENT)))
                .isEqualTo(RoutingDecision.fallback(Reason.OTHER_HISTORY));
    }

    @Test
    void withoutReplicasEverythingRunsOnTheWriterWhateverThePolicy() {
        for (FreshnessMode mode : List.of(FreshnessMode.EVENTUAL, FreshnessMode.READ_YOUR_WRITES)) {
            for (OnUnmet policy : List.of(OnUnmet.WRITER, OnUnmet.REJECT)) {
                assertThat(decide(mode, policy, UNKNOWN, state(null)))
                        .isEqualTo(RoutingDecision.writer(Reason.NO_REPLICAS));
            }
        }
    }

    @Test
    void unknownIsNeverFresh() {
        List<ReplicaState> unknown = List.of(
                ReplicaState.unobserved("never"),
                new ReplicaState("expired", standby(NOW - TTL - 1, 1, 5000), NOW, true),
                new ReplicaState("failed", new FailedObservation(NOW, "08006", "down"), NOW, true),
                new ReplicaState("primary", primary(NOW), NOW, true),
                new ReplicaState("noTimeline", standby(NOW, 0, 5000), 0, false),
                new ReplicaState("noReplay", standby(NOW, 1, 0), 0, false),
                new ReplicaState("noStaleness", standby(NOW, 1, 5000), 0, false));
        for (ReplicaState replica : unknown) {
            for (FreshnessMode mode : List.of(FreshnessMode.EVENTUAL, FreshnessMode.READ_YOUR_WRITES)) {
                assertThat(decide(mode, OnUnmet.WRITER, at(1), state(PRIMARY, replica))
                                .outcome())
                        .as("%s on %s", mode, replica.name())
                        .isEqualTo(Outcome.WRITER_FALLBACK);
            }
        }
    }

    @Test
    void aFallbackNeedsAWriterThatIsOne() {
        DatabaseState state = state(standby(NOW - 1, 1, 1000), OLD);
        assertThat(decide(FreshnessMode.EVENTUAL, OnUnmet.WRITER, Floor.none(), state))
                .isEqualTo(RoutingDecision.rejected(Reason.WRITER_IN_RECOVERY));
    }

    @Test
    void theReplicaInUseIsPreferredWhileItMeetsTheContract() {
        DatabaseState state = state(PRIMARY, CURRENT, OLD, CURRENT);
        FreshnessContract contract = contract(FreshnessMode.EVENTUAL, OnUnmet.WRITER);
        for (int i = 0; i < 10; i++) {
            assertThat(this.router
                            .decide(contract, Floor.none(), state, NOW, 2, 0)
                            .replica())
                    .isEqualTo(2);
            assertThat(this.router
                            .decide(contract, Floor.none(), state, NOW, 1, 0)
                            .replica())
                    .isNotEqualTo(1);
        }
    }

    @Test
    void excludedReplicasAreNotTaken() {
        DatabaseState state = state(PRIMARY, CURRENT, CURRENT);
        FreshnessContract contract = contract(FreshnessMode.EVENTUAL, OnUnmet.WRITER);
        assertThat(this.router
                        .decide(contract, Floor.none(), state, NOW, 0, 0b01)
                        .replica())
                .isEqualTo(1);
        assertThat(this.router.decide(contract, Floor.none(), state, NOW, -1, 0b11))
                .isEqualTo(RoutingDecision.fallback(Reason.BORROW_FAILED));
    }
}
