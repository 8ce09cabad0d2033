/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.routing.ReplicaChoice.Strategy;
import dev.freshness.session.Floor;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which of several replicas that meet a contract is taken. */
class ReplicaChoiceTests {

    private static final long NOW = 1_000_000_000_000L;

    private static final Duration TTL = Duration.ofSeconds(2);

    private static final int DRAWS = 10_000;

    private static final ServerIdentity SERVER = new ServerIdentity(7, 1);

    private static final ReplicaState CURRENT = replica(1000, Duration.ofMillis(100));

    /** Too old for reads of what was just written, not for others. */
    private static final ReplicaState LAGGING = replica(500, Duration.ofSeconds(10));

    private static final ReplicaState TOO_OLD = replica(100, Duration.ofSeconds(31));

    private static final ReplicaState FAILED =
            new ReplicaState("r", new FailedObservation(NOW, null, "down"), NOW, false);

    /** What each replica is asked for, by hand. */
    private final long[] loads = new long[DatabaseState.MAX_REPLICAS];

    private long full;

    private final ReplicaLoads byHand = new ReplicaLoads() {
        @Override
        public long load(int replica, long now) {
            return ReplicaChoiceTests.this.loads[replica];
        }

        @Override
        public boolean isFull(int replica) {
            return (ReplicaChoiceTests.this.full >>> replica & 1) != 0;
        }
    };

    private static ReplicaState replica(long replay, Duration staleness) {
        Lsn position = new Lsn(replay);
        return new ReplicaState(
                "r",
                new StandbyObservation(NOW - 1, SERVER, 1, position, position, true),
                NOW - staleness.toNanos(),
                true);
    }

    private static DatabaseState state(ReplicaState... replicas) {
        PrimaryObservation writer =
                new PrimaryObservation(NOW - 1, SERVER, 1, new Lsn(1000), new Lsn(1000), 200_000_000);
        return new DatabaseState("default", writer, List.of(replicas), TTL.toNanos());
    }

    private FreshnessRouter router(Strategy strategy, List<Integer> weights, long sameZone) {
        ReplicaChoice choice = new ReplicaChoice(strategy, weights, sameZone);
        return new FreshnessRouter(new RoutingSettings(choice, Duration.ofMinutes(10)), this.byHand);
    }

    private FreshnessRouter leastLoaded() {
        return router(Strategy.LEAST_LOADED, List.of(), 0);
    }

    private static FreshnessContract contract(FreshnessMode mode) {
        return new FreshnessContract(mode, Duration.ofSeconds(30), Duration.ZERO, OnUnmet.WRITER, "Test.read");
    }

    /** How often each replica is chosen. */
    private static int[] draw(FreshnessRouter router, FreshnessMode mode, Floor floor, DatabaseState state) {
        FreshnessContract contract = contract(mode);
        int[] drawn = new int[state.replicas().size()];
        for (int i = 0; i < DRAWS; i++) {
            RoutingDecision decision = router.decide(contract, floor, state, NOW, -1, 0);
            assertThat(decision.outcome()).isEqualTo(Outcome.REPLICA);
            assertThat(decision.reason()).isEqualTo(Reason.CONTRACT_MET);
            drawn[decision.replica()]++;
        }
        return drawn;
    }

    private static int[] draw(FreshnessRouter router, DatabaseState state) {
        return draw(router, FreshnessMode.EVENTUAL, Floor.none(), state);
    }

    private static void assertShare(int drawn, double from, double to) {
        assertThat((double) drawn / DRAWS).isBetween(from, to);
    }

    @Test
    void thoseThatMeetTheContractShareTheLoad() {
        int[] drawn = draw(leastLoaded(), state(CURRENT, TOO_OLD, CURRENT, FAILED, CURRENT));
        assertThat(drawn[1]).isZero();
        assertThat(drawn[3]).isZero();
        for (int replica : List.of(0, 2, 4)) {
            assertShare(drawn[replica], 0.2, 0.5);
        }
    }

    @Test
    void allOfManyAreDrawn() {
        ReplicaState[] replicas = new ReplicaState[DatabaseState.MAX_REPLICAS];
        Arrays.fill(replicas, CURRENT);
        for (int drawn : draw(leastLoaded(), state(replicas))) {
            assertShare(drawn, 0.004, 0.04);
        }
        replicas[63] = LAGGING;
        assertThat(draw(leastLoaded(), state(replicas))[63]).isEqualTo(DRAWS);
    }

    @Test
    void theOnlyOneOfManyThatMeetsTheContractIsFound() {
        for (int only : List.of(0, 31, 63)) {
            ReplicaState[] replicas = new ReplicaState[DatabaseState.MAX_REPLICAS];
            Arrays.fill(replicas, TOO_OLD);
            replicas[only] = CURRENT;
            for (Strategy strategy : Strategy.values()) {
                assertThat(draw(router(strategy, List.of(), 0), state(replicas))[only])
                        .isEqualTo(DRAWS);
            }
        }
    }

    @Test
    void aWeightIsAShare() {
        int[] drawn = draw(router(Strategy.LEAST_LOADED, List.of(3, 1), 0), state(CURRENT, CURRENT));
        assertShare(drawn[0], 0.65, 0.85);
        assertShare(drawn[1], 0.15, 0.35);
    }

    /** Three times the load is no more to bear for one of three times the weight. */
    @Test
    void loadIsMeasuredByWeight() {
        this.loads[0] = 290;
        this.loads[1] = 100;
        int[] drawn = draw(router(Strategy.LEAST_LOADED, List.of(3, 1), 0), state(CURRENT, CURRENT));
        assertShare(drawn[0], 0.65, 0.85);
        this.loads[0] = 1000;
        assertThat(draw(router(Strategy.LEAST_LOADED, List.of(3, 1), 0), state(CURRENT, CURRENT)))
                .containsExactly(0, DRAWS);
        this.loads[0] = 100;
        assertThat(draw(router(Strategy.LEAST_LOADED, List.of(3, 1), 0), state(CURRENT, CURRENT)))
                .containsExactly(DRAWS, 0);
    }

    @Test
    void theLessLoadedOfTwoIsTaken() {
        this.loads[0] = 400;
        this.loads[1] = 100;
        assertThat(draw(leastLoaded(), state(CURRENT, CURRENT))).containsExactly(0, DRAWS);
    }

    @Test
    void theBusiestIsNotTakenAndTheOthersAre() {
        this.loads[2] = 1000;
        this.loads[0] = this.loads[1] = this.loads[3] = 100;
        int[] drawn = draw(leastLoaded(), state(CURRENT, CURRENT, CURRENT, CURRENT));
        assertThat(drawn[2]).isZero();
        for (int replica : List.of(0, 1, 3)) {
            assertShare(drawn[replica], 0.2, 0.5);
        }
    }

    /** Latencies always differ a little. */
    @Test
    void aSmallDifferenceInLoadMovesNothing() {
        this.loads[0] = 110;
        this.loads[1] = 100;
        assertShare(draw(leastLoaded(), state(CURRENT, CURRENT))[0], 0.4, 0.6);
    }

    @Test
    void turnsAreTakenByWeight() {
        DatabaseState state = state(CURRENT, TOO_OLD, CURRENT);
        this.loads[0] = 1000;
        assertThat(draw(router(Strategy.ROUND_ROBIN, List.of(), 0), state)).containsExactly(5000, 0, 5000);
        assertThat(draw(router(Strategy.ROUND_ROBIN, List.of(3, 1), 0), state(CURRENT, CURRENT)))
                .containsExactly(7500, 2500);
    }

    @Test
    void theOwnZoneComesFirst() {
        DatabaseState state = state(CURRENT, CURRENT, CURRENT);
        for (Strategy strategy : Strategy.values()) {
            int[] drawn = draw(router(strategy, List.of(1, 1, 1000), 0b011), state);
            assertThat(drawn[2]).isZero();
            assertShare(drawn[0], 0.4, 0.6);
        }
    }

    @Test
    void theOwnZoneIsLeftWhereNoneOfItMeetsTheContractOrAllAreFull() {
        FreshnessRouter router = router(Strategy.LEAST_LOADED, List.of(), 0b001);
        assertThat(draw(router, state(TOO_OLD, CURRENT, CURRENT))[0]).isZero();
        this.full = 0b001;
        int[] drawn = draw(router, state(CURRENT, CURRENT, CURRENT));
        assertThat(drawn[0]).isZero();
        assertShare(drawn[1], 0.4, 0.6);
    }

    /** So that those that fresh reads depend on are left to them. */
    @Test
    void readsThatTolerateLagPreferWhatOthersCannotUse() {
        DatabaseState state = state(CURRENT, LAGGING, TOO_OLD);
        assertThat(draw(leastLoaded(), state)).containsExactly(0, DRAWS, 0);
        Floor recent = new Floor.At(new WalPosition(7, 1, new Lsn(1000)));
        assertThat(draw(leastLoaded(), FreshnessMode.READ_YOUR_WRITES, recent, state))
                .containsExactly(DRAWS, 0, 0);
        int[] drawn = draw(leastLoaded(), FreshnessMode.READ_YOUR_WRITES, Floor.none(), state);
        assertShare(drawn[0], 0.2, 1);
        assertThat(drawn[2]).isZero();
    }

    @Test
    void theOwnZoneGoesBeforeThoseThatLag() {
        DatabaseState state = state(CURRENT, LAGGING);
        assertThat(draw(router(Strategy.LEAST_LOADED, List.of(), 0b01), state)).containsExactly(DRAWS, 0);
        assertThat(draw(router(Strategy.LEAST_LOADED, List.of(), 0b10), state)).containsExactly(0, DRAWS);
    }

    @Test
    void lagIsCountedAtTheObservationItself() {
        assertThat(state(CURRENT, LAGGING, TOO_OLD, FAILED).laggingReplicas()).isEqualTo(0b0110);
        ReplicaState unknown = new ReplicaState("r", CURRENT.observation(), NOW - 60_000_000_000L, false);
        assertThat(state(unknown, ReplicaState.unobserved("r")).laggingReplicas())
                .isZero();
        ReplicaState onTheEdge = replica(1000, TTL.plusNanos(1));
        assertThat(state(onTheEdge, replica(1000, TTL.plusNanos(2))).laggingReplicas())
                .isEqualTo(0b10);
    }

    @Test
    void aFullReplicaIsLeftForAnotherEvenOneThatIsPreferredLess() {
        this.full = 0b10;
        assertThat(draw(leastLoaded(), state(CURRENT, CURRENT))).containsExactly(DRAWS, 0);
        assertThat(draw(leastLoaded(), state(CURRENT, LAGGING))).containsExactly(DRAWS, 0);
        assertThat(draw(router(Strategy.ROUND_ROBIN, List.of(), 0), state(CURRENT, CURRENT)))
                .containsExactly(DRAWS, 0);
    }

    @Test
    void aFullReplicaGoesBeforeTheWriter() {
        this.full = 0b11;
        this.loads[0] = 500;
        this.loads[1] = 499;
        assertThat(draw(leastLoaded(), state(CURRENT, CURRENT))).containsExactly(0, DRAWS);
        assertThat(draw(leastLoaded(), state(CURRENT, TOO_OLD))).containsExactly(DRAWS, 0);
        assertThat(draw(router(Strategy.LEAST_LOADED, List.of(2, 1), 0), state(CURRENT, CURRENT)))
                .containsExactly(DRAWS, 0);
    }

    /** A scope's reads follow each other on one replica, so that they do not go back. */
    @Test
    void aFullReplicaThatIsInUseIsKept() {
        this.full = 0b10;
        RoutingDecision decision = leastLoaded()
                .decide(contract(FreshnessMode.EVENTUAL), Floor.none(), state(CURRENT, CURRENT), NOW, 1, 0);
        assertThat(decision).isEqualTo(RoutingDecision.met(1));
    }

    @Test
    void decisionsForReplicasAreMadeOnce() {
        DatabaseState state = state(CURRENT);
        FreshnessContract contract = contract(FreshnessMode.EVENTUAL);
        FreshnessRouter router = leastLoaded();
        RoutingDecision decision = router.decide(contract, Floor.none(), state, NOW, -1, 0);
        assertThat(router.decide(contract, Floor.none(), state, NOW, -1, 0)).isSameAs(decision);
        assertThat(decision.afterWait())
                .isEqualTo(new RoutingDecision(Outcome.REPLICA_AFTER_WAIT, Reason.CONTRACT_MET, 0));
    }

    @Test
    void weightsOutOfRangeAreRefused() {
        for (List<Integer> weights : List.of(
                List.of(0),
                List.of(1, 1001),
                IntStream.range(0, 65).map(i -> 1).boxed().toList())) {
            assertThatThrownBy(() -> new ReplicaChoice(Strategy.LEAST_LOADED, weights, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new RoutingSettings(ReplicaChoice.DEFAULT, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
