/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.ReadPriority;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Draws whatever a decision may be made on, with a liking for what lies on an edge. The same seed draws the same. */
final class RandomCases {

    private static final long[] SYSTEMS = {7, -8};

    /** 0 is unknown; the last is the highest, since timelines are unsigned. */
    private static final int[] TIMELINES = {0, 1, 2, -1};

    /** Unsigned, too: the last three are the highest. */
    private static final long[] LSNS = {0, 1, 1000, 1001, Long.MAX_VALUE, Long.MIN_VALUE, -1};

    private static final Duration[] BOUNDS = {
        Duration.ofNanos(1), Duration.ofMillis(500), Duration.ofSeconds(10), Duration.ofSeconds(30)
    };

    private final Random random;

    RandomCases(long seed) {
        this.random = new Random(seed);
    }

    private boolean once(int in) {
        return this.random.nextInt(in) == 0;
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(this.random.nextInt(choices.size()));
    }

    /** A clock that may be about to wrap around. */
    long time() {
        return once(4) ? Long.MAX_VALUE - this.random.nextInt(1000) : this.random.nextLong();
    }

    ServerIdentity server() {
        return new ServerIdentity(SYSTEMS[once(5) ? 1 : 0], this.random.nextInt(2));
    }

    Lsn lsn() {
        return new Lsn(LSNS[this.random.nextInt(LSNS.length)]);
    }

    WalPosition position() {
        int timeline = once(3) ? TIMELINES[1 + this.random.nextInt(3)] : 1;
        return new WalPosition(SYSTEMS[once(5) ? 1 : 0], timeline, lsn());
    }

    Floor floor(long now) {
        return switch (this.random.nextInt(4)) {
            case 0 -> Floor.none();
            case 1 -> unknown(now);
            default -> new Floor.At(position());
        };
    }

    Floor.Unknown unknown(long now) {
        return new Floor.Unknown(now - this.random.nextInt(100), once(2) ? null : server(), once(2));
    }

    StandbyObservation standby(long at) {
        int timeline = once(3) ? TIMELINES[this.random.nextInt(TIMELINES.length)] : 1;
        return new StandbyObservation(at, server(), timeline, lsn(), lsn(), once(2));
    }

    PrimaryObservation primary(long at) {
        return new PrimaryObservation(at, server(), 1, lsn(), lsn(), 200_000_000);
    }

    /** How long ago: often exactly the bound, or one nanosecond beyond. */
    private long age(long bound) {
        return switch (this.random.nextInt(5)) {
            case 0 -> bound;
            case 1 -> bound + 1;
            case 2 -> bound * 2;
            default -> this.random.nextLong(bound + 1);
        };
    }

    private @Nullable NodeObservation observation(long now, long ttl, int standbys) {
        long at = now - age(ttl);
        return switch (this.random.nextInt(3 + standbys)) {
            case 0 -> null;
            case 1 -> new FailedObservation(at, null, "down");
            case 2 -> primary(at);
            default -> standby(at);
        };
    }

    private ReplicaState replica(int index, long now, long ttl, boolean mostlyGood) {
        long freshAsOf = now - age(oneOf(List.of(BOUNDS)).toNanos());
        return mostlyGood && !once(4)
                ? new ReplicaState(
                        "r" + index,
                        new StandbyObservation(
                                now, new ServerIdentity(7, index), 1, new Lsn(1000), new Lsn(1000), true),
                        once(3) ? now - ttl - 1 : now,
                        true)
                : new ReplicaState("r" + index, observation(now, ttl, 7), freshAsOf, !once(5));
    }

    private int replicas() {
        return switch (this.random.nextInt(10)) {
            case 0 -> this.random.nextInt(DatabaseState.MAX_REPLICAS + 1);
            case 1, 2, 3 -> this.random.nextInt(9);
            default -> this.random.nextInt(4);
        };
    }

    FreshnessContract contract() {
        FreshnessMode mode = oneOf(List.of(FreshnessMode.values()));
        OnUnmet policy = oneOf(
                mode == FreshnessMode.EVENTUAL
                        ? List.of(OnUnmet.WRITER, OnUnmet.REJECT, OnUnmet.STALE)
                        : List.of(OnUnmet.WRITER, OnUnmet.REJECT));
        return new FreshnessContract(
                mode,
                oneOf(List.of(BOUNDS)),
                Duration.ZERO,
                policy,
                once(3),
                oneOf(List.of(ReadPriority.values())),
                Set.of(),
                "Test.read");
    }

    /** Any of the replicas, each with a chance of one in a number. */
    private long mask(int in) {
        long mask = 0;
        for (int i = 0; i < Long.SIZE; i++) {
            mask |= once(in) ? 1L << i : 0;
        }
        return mask;
    }

    Case draw() {
        long now = time();
        long ttl = Duration.ofSeconds(1 + this.random.nextInt(3)).toNanos();
        // Else there would hardly ever be several to choose from.
        boolean mostlyGood = once(2);
        int count = replicas();
        List<ReplicaState> replicas = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            replicas.add(replica(i, now, ttl, mostlyGood));
        }
        DatabaseState state = new DatabaseState("default", observation(now, ttl, 2), replicas, ttl);
        List<Integer> weights = once(2)
                ? List.of()
                : Stream.generate(() -> 1 + this.random.nextInt(once(2) ? 3 : ReplicaChoice.HEAVIEST))
                        .limit(count)
                        .toList();
        ReplicaChoice choice =
                new ReplicaChoice(oneOf(List.of(ReplicaChoice.Strategy.values())), weights, once(2) ? 0 : mask(2));
        return new Case(
                contract(),
                floor(now),
                state,
                now,
                once(2) ? -1 : this.random.nextInt(count + 1),
                once(3) ? mask(once(2) ? 2 : 1) : 0,
                new RoutingSettings(choice, oneOf(List.of(BOUNDS))),
                once(2) ? 0 : mask(once(2) ? 2 : 1),
                this.random.ints(Long.SIZE, 0, 100).boxed().toList());
    }

    /**
     * What a decision is made on.
     *
     * @param full the replicas whose pools are full
     * @param loads the replicas' loads
     */
    record Case(
            FreshnessContract contract,
            Floor floor,
            DatabaseState state,
            long now,
            int preferred,
            long excluded,
            RoutingSettings settings,
            long full,
            List<Integer> loads)
            implements ReplicaLoads {

        @Override
        public long load(int replica, long time) {
            return this.loads.get(replica);
        }

        @Override
        public boolean isFull(int replica) {
            return (this.full >>> replica & 1) != 0;
        }

        boolean isExcluded(int replica) {
            return (this.excluded >>> replica & 1) != 0;
        }

        RoutingDecision decide() {
            return new FreshnessRouter(this.settings, this)
                    .decide(this.contract, this.floor, this.state, this.now, this.preferred, this.excluded);
        }
    }
}
