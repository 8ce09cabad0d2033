/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.benchmarks;

import dev.freshness.session.Floor;
import dev.freshness.session.Floors;
import dev.freshness.token.TokenCodec;
import dev.freshness.token.TokenKeys;
import dev.freshness.token.TokenVerification;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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

/** What a token costs where it is issued and where it is verified. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public class TokenBenchmark {

    private final TokenCodec codec = new TokenCodec(
            TokenKeys.of(Map.of("k1", "a secret of at least thirty-two bytes"), "k1"),
            "benchmarks",
            Duration.ofMinutes(10),
            Duration.ofSeconds(30),
            System::currentTimeMillis);

    private final Map<String, Floors> floors = new LinkedHashMap<>();

    /** How many databases the token is of. */
    @Param({"1", "3"})
    public int databases;

    /** How many business objects of each. */
    @Param({"0", "4"})
    public int scopes;

    private String token = "";

    /** Builds the floors, and a token of them. */
    @Setup
    public void issue() {
        for (int i = 0; i < this.databases; i++) {
            Map<Long, Floor> scoped = new LinkedHashMap<>();
            for (int j = 0; j < this.scopes; j++) {
                scoped.put(Floors.key("profile:" + i + ":" + j), at(0x16_b374_d848L + j));
            }
            this.floors.put(i == 0 ? "default" : "database-" + i, Floors.of(at(0x16_b374_d848L), scoped));
        }
        this.token = this.codec.encode(this.floors, 0, null);
    }

    private static Floor at(long lsn) {
        return new Floor.At(new WalPosition(7_345_678_901_234_567_890L, 1, new Lsn(lsn)));
    }

    /**
     * Issues a token.
     *
     * @return the token
     */
    @Benchmark
    public String encode() {
        return this.codec.encode(this.floors, 0, null);
    }

    /**
     * Verifies a token.
     *
     * @return what it came to
     */
    @Benchmark
    public TokenVerification verify() {
        return this.codec.verify(this.token, null, 0);
    }
}
