/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.benchmarks;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.routing.FreshnessRouter;
import dev.freshness.routing.ReplicaChoice;
import dev.freshness.routing.ReplicaLoads;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingSettings;
import dev.freshness.session.Floor;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One decision of the router: all replicas are current and share one load. Loads are looked up as those of pools are. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public class DecisionBenchmark {

    private static final long NOW = 1_000_000_000_000L;

    private static final ServerIdentity SERVER = new ServerIdentity(7, 1);

    private final FreshnessContract eventual = contract(FreshnessMode.EVENTUAL);

    private final FreshnessContract readYourWrites = contract(FreshnessMode.READ_YOUR_WRITES);

    private final Floor floor = new Floor.At(new WalPosition(7, 1, new Lsn(1000)));

    /** How many replicas there are. */
    @Param({"2", "8", "64"})
    public int replicas;

    private FreshnessRouter router = new FreshnessRouter();

    private DatabaseState state = DatabaseState.unobserved("default", List.of(), 1);

    private static FreshnessContract contract(FreshnessMode mode) {
        return new FreshnessContract(mode, Duration.ofSeconds(30), Duration.ZERO, OnUnmet.WRITER, "DecisionBenchmark");
    }

    /** Builds the state. */
    @Setup
    public void observe() {
        Lsn position = new Lsn(1000);
        List<ReplicaState> observed = new ArrayList<>();
        for (int i = 0; i < this.replicas; i++) {
            StandbyObservation standby = new StandbyObservation(NOW - 1, SERVER, 1, position, position, true);
            observed.add(new ReplicaState("replica-" + i, standby, NOW - 100_000_000, true));
        }
        PrimaryObservation writer = new PrimaryObservation(NOW - 1, SERVER, 1, position, position, 200_000_000);
        this.state = new DatabaseState(
                "default", writer, observed, Duration.ofSeconds(2).toNanos());
        this.router = new FreshnessRouter(
                new RoutingSettings(ReplicaChoice.DEFAULT, Duration.ofMinutes(10)), new CountedLoads(this.replicas));
    }

    /**
     * May be old.
     *
     * @return the decision
     */
    @Benchmark
    public RoutingDecision eventual() {
        return this.router.decide(this.eventual, Floor.none(), this.state, NOW, -1, 0);
    }

    /**
     * Must be at a position.
     *
     * @return the decision
     */
    @Benchmark
    public RoutingDecision readYourWrites() {
        return this.router.decide(this.readYourWrites, this.floor, this.state, NOW, -1, 0);
    }

    private static final class CountedLoads implements ReplicaLoads {

        private final AtomicIntegerArray inFlight;

        private final AtomicIntegerArray latency;

        CountedLoads(int replicas) {
            this.inFlight = new AtomicIntegerArray(replicas);
            this.latency = new AtomicIntegerArray(replicas);
        }

        @Override
        public long load(int replica, long now) {
            return (this.inFlight.get(replica) + 1L) * Math.max(1000, this.latency.get(replica));
        }

        @Override
        public boolean isFull(int replica) {
            return this.inFlight.get(replica) >= 10;
        }
    }
}
