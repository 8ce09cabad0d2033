/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Readers on threads of their own that go on until closed, and what became of each of their reads. */
final class Readers implements AutoCloseable {

    /** Leaves the machine some room for those who are read from. */
    private static final Duration PAUSE = Duration.ofMillis(2);

    private final Queue<Read> reads = new ConcurrentLinkedQueue<>();

    private final long begun = System.nanoTime();

    private final int count;

    private final ScheduledExecutorService threads;

    private final List<Future<?>> loops = new ArrayList<>();

    Readers(int count, Supplier<Where> read) {
        this.count = count;
        this.threads = Executors.newScheduledThreadPool(count);
        for (int i = 0; i < count; i++) {
            int reader = i;
            this.loops.add(this.threads.scheduleWithFixedDelay(
                    () -> this.reads.add(read(reader, read)), 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    /** When they began. */
    long begun() {
        return this.begun;
    }

    private static Read read(int reader, Supplier<Where> read) {
        long begun = System.nanoTime();
        try {
            Where where = read.get();
            return new Read(reader, begun, System.nanoTime(), where, null);
        } catch (RuntimeException ex) {
            return new Read(reader, begun, System.nanoTime(), null, ex);
        }
    }

    /** Waits until every reader has begun and ended a read, answered or not. */
    void awaitFirst() {
        await().atMost(ReplicationBed.DEADLINE)
                .until(() -> this.reads.stream().map(Read::reader).distinct().count() == this.count);
    }

    /** Waits until every reader has had so many reads answered that it began after a moment. */
    void awaitReads(int each, long since) {
        await().atMost(ReplicationBed.DEADLINE).untilAsserted(() -> {
            int[] counts = new int[this.count];
            between(since, Long.MAX_VALUE).forEach(read -> counts[read.reader()]++);
            assertThat(Arrays.stream(counts).min().orElse(0)).isGreaterThanOrEqualTo(each);
        });
    }

    /** The answered reads that began between two moments. */
    List<Read> between(long from, long to) {
        return this.reads.stream()
                .filter(read -> read.begun() - from > 0 && (to == Long.MAX_VALUE || to - read.begun() > 0))
                .filter(read -> read.where() != null)
                .toList();
    }

    List<Read> failed() {
        return this.reads.stream().filter(read -> read.failure() != null).toList();
    }

    /** The reads that began before a moment and took at least so long, failed ones included. */
    List<Read> slow(Duration least, long before) {
        return this.reads.stream()
                .filter(read -> before - read.begun() > 0)
                .filter(read -> read.took().compareTo(least) >= 0)
                .toList();
    }

    /** The ports of the servers that answered. */
    Set<Integer> portsSince(long moment) {
        return between(moment, Long.MAX_VALUE).stream()
                .map(read -> read.where().port())
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        assertThat(this.loops).as("loops that ended").noneMatch(Future::isDone);
        this.threads.shutdown();
        try {
            assertThat(this.threads.awaitTermination(30, TimeUnit.SECONDS))
                    .as("all reads end")
                    .isTrue();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(ex);
        }
    }

    /** A read; {@code where} is null if it failed. */
    record Read(
            int reader,
            long begun,
            long ended,
            @Nullable Where where,
            @Nullable RuntimeException failure) {

        Duration took() {
            return Duration.ofNanos(this.ended - this.begun);
        }
    }
}
