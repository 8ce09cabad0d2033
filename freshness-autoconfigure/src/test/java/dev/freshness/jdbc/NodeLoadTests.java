/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What counts as load. */
class NodeLoadTests {

    private final NodeLoad load = new NodeLoad();

    private static long later(Duration pause) {
        return System.nanoTime() + pause.toNanos();
    }

    @Test
    void usesAndThoseWhoWaitCountUntilTheyEnd() {
        long idle = this.load.load(System.nanoTime());
        NodeLoad.Use first = this.load.begin();
        NodeLoad.Use second = this.load.begin();
        assertThat(this.load.inFlight()).isEqualTo(2);
        assertThat(this.load.load(System.nanoTime())).isEqualTo(3 * idle);
        first.fail();
        assertThat(this.load.inFlight()).isOne();
        second.end();
        assertThat(this.load.inFlight()).isZero();
    }

    /** Whoever aborts a connection and whoever closes it may both say so. */
    @Test
    void aUseEndsOnce() {
        NodeLoad.Use first = this.load.begin();
        this.load.begin();
        first.end();
        first.end();
        first.fail();
        assertThat(this.load.inFlight()).isOne();
    }

    @Test
    void endsAreNotLostBetweenThreads() {
        IntStream.range(0, 20_000).parallel().forEach(i -> {
            NodeLoad.Use use = this.load.begin();
            IntStream.range(0, 2).parallel().forEach(end -> use.end());
        });
        assertThat(this.load.inFlight()).isZero();
    }

    @Test
    void recentLatencyCountsAndIsForgotten() {
        long idle = this.load.load(System.nanoTime());
        long begun = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            this.load.took(Duration.ofSeconds(1).toNanos(), begun);
        }
        long slow = this.load.load(begun);
        assertThat(slow).isBetween(50 * idle, 101 * idle);
        assertThat(this.load.load(begun + Duration.ofMillis(1001).toNanos())).isEqualTo(slow / 2);
        assertThat(this.load.load(begun + Duration.ofMillis(3001).toNanos())).isEqualTo(slow / 8);
        assertThat(this.load.load(begun + Duration.ofHours(10).toNanos())).isEqualTo(idle);
    }

    @Test
    void oneLongUseAmongManySaysLittle() {
        long idle = this.load.load(System.nanoTime());
        this.load.took(Duration.ofMinutes(1).toNanos(), System.nanoTime());
        assertThat(this.load.load(System.nanoTime())).isBetween(idle, 2 * idle);
    }

    /** A node that refuses at once must not look like the quickest. */
    @Test
    void failuresAreNoLatencies() {
        long begun = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            this.load.took(Duration.ofMillis(100).toNanos(), begun);
        }
        long slow = this.load.load(begun);
        for (int i = 0; i < 40; i++) {
            this.load.begin().fail();
        }
        assertThat(this.load.load(begun)).isEqualTo(slow);
    }

    @Test
    void aPoolIsFullOnceAllItsConnectionsAreInUseOrAskedFor() {
        HikariDataSource hikari = new HikariDataSource();
        NodePool sized = new NodePool("replica-1", new DelegatingDataSource(hikari));
        NodePool unsized = new NodePool("replica-2", new DriverManagerDataSource());
        PoolLoads loads = new PoolLoads(List.of(sized, unsized));
        assertThat(loads.isFull(0)).as("before its size is known").isFalse();
        hikari.setMaximumPoolSize(2);
        List<NodeLoad.Use> uses = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            assertThat(loads.isFull(0)).isFalse();
            uses.add(sized.load().begin());
            unsized.load().begin();
        }
        assertThat(loads.isFull(0)).isTrue();
        assertThat(loads.isFull(1)).isFalse();
        uses.get(0).end();
        assertThat(loads.isFull(0)).isFalse();
        assertThat(loads.load(1, later(Duration.ZERO))).isGreaterThan(loads.load(0, later(Duration.ZERO)));
    }
}
