/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.routing.RandomCases.Case;
import dev.freshness.session.Floor;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.math.BigInteger;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What holds of every decision and of every floor, tried on random ones. What is true is worked out here once more, in the
 * plainest way, with none of the methods under test: positions as big numbers, choices as sets.
 */
class DecisionPropertyTests {

    private static final int CASES = 40_000;

    private static final int SEED = 2026;

    private static void forRandomCases(Consumer<Case> property) {
        for (int i = 0; i < CASES; i++) {
            Case given = new RandomCases(SEED * 1_000_000L + i).draw();
            try {
                property.accept(given);
            } catch (AssertionError | RuntimeException ex) {
                throw new AssertionError("Case " + i + ": " + given, ex);
            }
        }
    }

    // ---- what is true ----

    private static boolean isLive(Case given, @Nullable NodeObservation observation) {
        return observation != null
                && age(given, observation.sampledAt())
                                .compareTo(BigInteger.valueOf(given.state().observationTtlNanos()))
                        <= 0;
    }

    /** Between readings of a clock that may wrap around, as a number that does not. */
    private static BigInteger age(Case given, long moment) {
        return BigInteger.valueOf(given.now() - moment);
    }

    private static BigInteger number(Lsn lsn) {
        return new BigInteger(Long.toUnsignedString(lsn.value()));
    }

    private static boolean isOfHistory(StandbyObservation standby, WalPosition position) {
        return standby.identity().systemIdentifier() == position.systemIdentifier()
                && standby.timeline() == position.timeline();
    }

    private static boolean knowsPosition(StandbyObservation standby) {
        return standby.timeline() != 0 && standby.replay().value() != 0;
    }

    private static boolean includes(StandbyObservation standby, Floor floor) {
        if (floor instanceof Floor.At at) {
            WalPosition position = at.position();
            // 0/0 lies below everything, in whatever history.
            return knowsPosition(standby)
                    && (position.lsn().value() == 0
                            || isOfHistory(standby, position)
                                    && number(standby.replay()).compareTo(number(position.lsn())) >= 0);
        }
        return floor.equals(Floor.none());
    }

    private static BigInteger bound(Case given) {
        BigInteger bound = BigInteger.valueOf(given.contract().maxStaleness().toNanos());
        return given.contract().mode() == FreshnessMode.READ_YOUR_WRITES
                ? bound.min(BigInteger.valueOf(given.settings().floorLife().toNanos()))
                : bound;
    }

    /** The table, for one replica; empty if it meets the contract. Several reasons may hold; any of them will do. */
    private static Set<Reason> unmet(Case given, ReplicaState replica) {
        NodeObservation observation = replica.observation();
        if (!isLive(given, observation)) {
            return EnumSet.of(Reason.NOT_OBSERVED);
        }
        if (observation instanceof FailedObservation) {
            return EnumSet.of(Reason.PROBE_FAILED);
        }
        if (observation instanceof PrimaryObservation) {
            return EnumSet.of(Reason.NOT_A_STANDBY);
        }
        StandbyObservation standby = (StandbyObservation) observation;
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        if (given.contract().monotonic() && !includes(standby, given.floor())) {
            if (!(given.floor() instanceof Floor.At at)) {
                reasons.add(Reason.FLOOR_UNKNOWN);
            } else if (!knowsPosition(standby)) {
                reasons.add(Reason.POSITION_UNKNOWN);
            } else {
                reasons.add(isOfHistory(standby, at.position()) ? Reason.BEHIND_FLOOR : Reason.OTHER_HISTORY);
            }
        }
        if (!replica.freshnessKnown()) {
            reasons.add(knowsPosition(standby) ? Reason.STALENESS_UNKNOWN : Reason.POSITION_UNKNOWN);
        } else if (age(given, replica.freshAsOf()).compareTo(bound(given)) > 0) {
            reasons.add(Reason.TOO_STALE);
        }
        return reasons;
    }

    private static Set<Integer> candidates(Case given) {
        return IntStream.range(0, given.state().replicas().size())
                .filter(replica -> !given.isExcluded(replica))
                .boxed()
                .collect(Collectors.toSet());
    }

    private static Set<Integer> meeting(Case given) {
        Set<Integer> meeting = candidates(given);
        meeting.removeIf(
                replica -> !unmet(given, given.state().replicas().get(replica)).isEmpty());
        return meeting;
    }

    private static boolean isWriterInRecovery(Case given) {
        return given.state().writer() instanceof StandbyObservation standby && isLive(given, standby);
    }

    /** What of a set is preferred, or all of it if none of it is. */
    private static Set<Integer> preferring(Set<Integer> replicas, Set<Integer> preferred) {
        Set<Integer> both = new HashSet<>(replicas);
        both.retainAll(preferred);
        return both.isEmpty() ? replicas : both;
    }

    private static Set<Integer> lowest(Set<Integer> replicas, ToLongFunction<Integer> figure) {
        long lowest = replicas.stream().mapToLong(figure).min().orElseThrow();
        return replicas.stream()
                .filter(replica -> figure.applyAsLong(replica) == lowest)
                .collect(Collectors.toSet());
    }

    private static Set<Integer> lagging(Case given) {
        return candidates(given).stream()
                .filter(index -> {
                    ReplicaState replica = given.state().replicas().get(index);
                    return replica.freshnessKnown()
                            && replica.observation() instanceof StandbyObservation standby
                            && standby.sampledAt() - replica.freshAsOf()
                                    > given.state().observationTtlNanos();
                })
                .collect(Collectors.toSet());
    }

    /** The replicas of those that meet the contract that may be chosen. */
    private static Set<Integer> choice(Case given, Set<Integer> meeting) {
        if (meeting.contains(given.preferred())) {
            return Set.of(given.preferred());
        }
        Set<Integer> free = new HashSet<>(meeting);
        free.removeIf(given::isFull);
        if (free.isEmpty()) {
            return meeting.stream()
                    .filter(one -> meeting.stream().allMatch(other -> isAtMostAsLoaded(given, one, other)))
                    .collect(Collectors.toSet());
        }
        Set<Integer> near = free.stream()
                .filter(replica -> (given.settings().choice().sameZone() >>> replica & 1) != 0)
                .collect(Collectors.toSet());
        Set<Integer> best = preferring(free, near);
        return given.contract().mode() == FreshnessMode.EVENTUAL ? preferring(best, lagging(given)) : best;
    }

    private static boolean isAtMostAsLoaded(Case given, int one, int other) {
        return given.load(one, 0) * weight(given, other) <= given.load(other, 0) * weight(given, one);
    }

    private static long weight(Case given, int replica) {
        return given.settings().choice().weights().isEmpty()
                ? 1
                : given.settings().choice().weights().get(replica);
    }

    // ---- decisions ----

    /** Met by a replica observed to meet it, or by the writer, or refused; and never by less than it asks for. */
    @Test
    void noContractIsEverWeakened() {
        forRandomCases(given -> {
            RoutingDecision decision = given.decide();
            FreshnessContract contract = given.contract();
            switch (decision.outcome()) {
                case REPLICA -> {
                    assertThat(contract.mode()).isNotEqualTo(FreshnessMode.AUTHORITATIVE_NOW);
                    assertThat(meeting(given)).contains(decision.replica());
                }
                case STALE -> {
                    assertThat(contract.mode()).isEqualTo(FreshnessMode.EVENTUAL);
                    assertThat(contract.onUnmet()).isEqualTo(OnUnmet.STALE);
                    assertThat(decision.reason()).isNotEqualTo(Reason.CONTRACT_MET);
                }
                case WRITER_FALLBACK -> {
                    assertThat(contract.onUnmet()).isNotEqualTo(OnUnmet.REJECT);
                    assertThat(isWriterInRecovery(given)).isFalse();
                }
                case WRITER ->
                    assertThat(contract.mode() == FreshnessMode.AUTHORITATIVE_NOW
                                    || given.state().replicas().isEmpty())
                            .isTrue();
                case REJECTED -> assertThat(decision.isReplica()).isFalse();
                case REPLICA_AFTER_WAIT -> throw new AssertionError("Nothing was waited for");
            }
        });
    }

    @Test
    void whatIsNotKnownIsNeverFresh() {
        forRandomCases(given -> {
            RoutingDecision decision = given.decide();
            if (!decision.isReplica()) {
                return;
            }
            ReplicaState replica = given.state().replicas().get(decision.replica());
            assertThat(isLive(given, replica.observation())).isTrue();
            assertThat(replica.observation()).isInstanceOf(StandbyObservation.class);
            if (decision.outcome() == Outcome.REPLICA) {
                assertThat(replica.freshnessKnown()).isTrue();
                if (given.contract().monotonic() && !given.floor().equals(Floor.none())) {
                    assertThat(given.floor()).isInstanceOf(Floor.At.class);
                    assertThat(knowsPosition((StandbyObservation) replica.observation()))
                            .isTrue();
                }
            }
        });
    }

    @Test
    void positionsAreComparedOnlyWithinOneHistory() {
        forRandomCases(given -> {
            RoutingDecision decision = given.decide();
            if (decision.outcome() == Outcome.REPLICA
                    && given.contract().monotonic()
                    && given.floor() instanceof Floor.At at
                    && at.position().lsn().value() != 0) {
                ReplicaState replica = given.state().replicas().get(decision.replica());
                assertThat(isOfHistory((StandbyObservation) replica.observation(), at.position()))
                        .isTrue();
            }
        });
    }

    /** Neither more nor less than the table says, and of several replicas one of those that are preferred. */
    @Test
    void everyDecisionIsThatOfTheTable() {
        Set<Outcome> seen = EnumSet.noneOf(Outcome.class);
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        forRandomCases(given -> {
            RoutingDecision decision = given.decide();
            seen.add(decision.outcome());
            reasons.add(decision.reason());
            boolean inRecovery = isWriterInRecovery(given);
            if (given.contract().mode() == FreshnessMode.AUTHORITATIVE_NOW) {
                assertThat(decision)
                        .isEqualTo(
                                inRecovery
                                        ? RoutingDecision.rejected(Reason.WRITER_IN_RECOVERY)
                                        : RoutingDecision.writer(Reason.AUTHORITATIVE));
                return;
            }
            if (given.state().replicas().isEmpty()) {
                assertThat(decision).isEqualTo(RoutingDecision.writer(Reason.NO_REPLICAS));
                return;
            }
            Set<Integer> meeting = meeting(given);
            if (!meeting.isEmpty()) {
                assertThat(decision.outcome()).isEqualTo(Outcome.REPLICA);
                assertThat(decision.reason()).isEqualTo(Reason.CONTRACT_MET);
                assertThat(choice(given, meeting)).contains(decision.replica());
                return;
            }
            assertUnmet(given, decision, inRecovery);
        });
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        Outcome.REPLICA, Outcome.STALE, Outcome.WRITER, Outcome.WRITER_FALLBACK, Outcome.REJECTED);
        assertThat(reasons)
                .contains(
                        Reason.FLOOR_UNKNOWN,
                        Reason.BEHIND_FLOOR,
                        Reason.OTHER_HISTORY,
                        Reason.TOO_STALE,
                        Reason.STALENESS_UNKNOWN,
                        Reason.POSITION_UNKNOWN,
                        Reason.NOT_A_STANDBY,
                        Reason.PROBE_FAILED,
                        Reason.NOT_OBSERVED,
                        Reason.BORROW_FAILED);
    }

    private static void assertUnmet(Case given, RoutingDecision decision, boolean inRecovery) {
        Set<Integer> live = candidates(given);
        live.removeIf(index -> {
            NodeObservation observation = given.state().replicas().get(index).observation();
            return !(observation instanceof StandbyObservation) || !isLive(given, observation);
        });
        OnUnmet policy = given.contract().onUnmet();
        if (policy == OnUnmet.STALE && !live.isEmpty()) {
            assertThat(decision.outcome()).isEqualTo(Outcome.STALE);
            assertThat(lowest(live, index -> {
                        ReplicaState replica = given.state().replicas().get(index);
                        return replica.freshnessKnown()
                                ? age(given, replica.freshAsOf()).longValueExact()
                                : Long.MAX_VALUE;
                    }))
                    .contains(decision.replica());
        } else if (policy == OnUnmet.REJECT) {
            assertThat(decision.outcome()).isEqualTo(Outcome.REJECTED);
        } else if (inRecovery) {
            assertThat(decision).isEqualTo(RoutingDecision.rejected(Reason.WRITER_IN_RECOVERY));
            return;
        } else {
            assertThat(decision.outcome()).isEqualTo(Outcome.WRITER_FALLBACK);
        }
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        candidates(given)
                .forEach(index ->
                        reasons.addAll(unmet(given, given.state().replicas().get(index))));
        assertThat(decision.reason()).isIn(reasons.isEmpty() ? Set.of(Reason.BORROW_FAILED) : reasons);
    }

    // ---- floors ----

    /** Whoever meets a floor after something was added to it meets what it was before, and what was added. */
    @Test
    void floorsOnlyRise() {
        int met = 0;
        for (int i = 0; i < CASES; i++) {
            RandomCases cases = new RandomCases(SEED * 2_000_000L + i);
            long now = cases.time();
            Floor before = cases.floor(now);
            WalPosition added = cases.position();
            Floor other = cases.floor(now);
            StandbyObservation standby = cases.standby(now);
            String described = "Case " + i + ": " + before + ", " + added + ", " + other + ", " + standby;
            ServerIdentity server = cases.server();
            long askedAt = now - (i % 100);

            Floor raised = before.raisedTo(added, askedAt, server);
            if (before instanceof Floor.Unknown unknown) {
                boolean later = askedAt - unknown.since() >= 0
                        && (unknown.writer() == null || unknown.writer().equals(server));
                assertThat(raised instanceof Floor.At).as(described).isEqualTo(later);
            } else if (includes(standby, raised)) {
                assertThat(includes(standby, before)).as(described).isTrue();
            }
            assertIncluded(standby, raised, new Floor.At(added), described);

            Floor required = before.requiring(added);
            assertIncluded(standby, required, before, described);
            assertIncluded(standby, required, new Floor.At(added), described);

            Floor both = before.and(other);
            assertIncluded(standby, both, before, described);
            assertIncluded(standby, both, other, described);

            assertThat(before.marked(now, server, true)).as(described).isInstanceOf(Floor.Unknown.class);
            PrimaryObservation sample = cases.primary(now - (i % 100));
            assertResolved(before, before.resolvedBy(sample), sample, described);
            met += includes(standby, raised) && before instanceof Floor.At ? 1 : 0;
        }
        assertThat(met).as("cases that could have failed").isGreaterThan(CASES / 100);
    }

    private static void assertIncluded(StandbyObservation standby, Floor after, Floor owed, String described) {
        if (includes(standby, after)) {
            assertThat(includes(standby, owed)).as(described).isTrue();
        }
    }

    /** Only what its own server said later stands for a write of unknown position. */
    private static void assertResolved(Floor before, Floor after, PrimaryObservation sample, String described) {
        if (before instanceof Floor.Unknown unknown && !after.equals(before)) {
            assertThat(unknown.resolvable()).as(described).isTrue();
            assertThat(unknown.writer()).as(described).isEqualTo(sample.identity());
            assertThat(sample.sampledAt() - unknown.since()).as(described).isPositive();
            assertThat(after)
                    .as(described)
                    .isIn(
                            new Floor.At(new WalPosition(
                                    sample.identity().systemIdentifier(), sample.timeline(), sample.insert())),
                            new Floor.At(new WalPosition(
                                    sample.identity().systemIdentifier(), sample.timeline(), sample.flush())));
        } else {
            assertThat(after).as(described).isEqualTo(before);
        }
    }
}
