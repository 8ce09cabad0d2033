/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.freshness.ReadPriority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WriterFallbackBudgetTests {

    private static final Duration LONG = Duration.ofMinutes(2);

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static WriterFallbackBudget budget(int limit, boolean reserve) {
        return new WriterFallbackBudget(new WriterFallbackLimits(limit, reserve, LONG));
    }

    private static WriterFallbackBudget.Permit take(WriterFallbackBudget budget, ReadPriority priority) {
        return Objects.requireNonNull(budget.tryAcquire(priority));
    }

    @Test
    void noMorePermitsThanTheLimitAreOut() {
        WriterFallbackBudget budget = budget(2, false);
        WriterFallbackBudget.Permit first = take(budget, ReadPriority.NORMAL);
        take(budget, ReadPriority.HIGH);
        assertThat(budget.tryAcquire(ReadPriority.HIGH)).isNull();
        assertThat(budget.acquire(ReadPriority.HIGH, 0)).isNull();
        assertThat(budget.active()).isEqualTo(2);
        assertThat(budget.rejected()).isOne();
        first.release();
        first.release();
        assertThat(budget.active()).isOne();
        take(budget, ReadPriority.NORMAL);
        assertThat(budget.tryAcquire(ReadPriority.NORMAL)).isNull();
    }

    @Test
    void halfIsKeptForHighPriority() {
        WriterFallbackBudget budget = budget(5, true);
        for (int i = 0; i < 3; i++) {
            take(budget, ReadPriority.NORMAL);
        }
        assertThat(budget.tryAcquire(ReadPriority.NORMAL)).isNull();
        assertThat(budget.acquire(ReadPriority.NORMAL, 0)).isNull();
        take(budget, ReadPriority.HIGH);
        take(budget, ReadPriority.HIGH);
        assertThat(budget.tryAcquire(ReadPriority.HIGH)).isNull();
        assertThat(budget.active()).isEqualTo(5);
    }

    /** The share that a read takes first must not be lost where it then finds the whole exhausted. */
    @Test
    void whatWasTakenInVainIsGivenBack() {
        WriterFallbackBudget budget = budget(2, true);
        WriterFallbackBudget.Permit one = take(budget, ReadPriority.HIGH);
        take(budget, ReadPriority.HIGH);
        assertThat(budget.tryAcquire(ReadPriority.NORMAL)).isNull();
        assertThat(budget.acquire(ReadPriority.NORMAL, 1)).isNull();
        one.release();
        take(budget, ReadPriority.NORMAL);
    }

    @Test
    void aBudgetOfOneIsForEveryoneEvenWithAReserve() {
        take(budget(1, true), ReadPriority.NORMAL);
    }

    @Test
    void aPermitThatMayNotWaitGoesBeyondTheLimitAndIsCounted() {
        WriterFallbackBudget budget = budget(1, false);
        WriterFallbackBudget.Permit first = take(budget, ReadPriority.NORMAL);
        WriterFallbackBudget.Permit beyond = budget.takeNext();
        assertThat(budget.active()).isEqualTo(2);
        beyond.release();
        assertThat(budget.tryAcquire(ReadPriority.NORMAL)).as("still held").isNull();
        first.release();
        assertThat(budget.active()).isZero();
        take(budget, ReadPriority.NORMAL);
    }

    @Test
    void whoWaitsGetsThePermitThatIsGivenBack() throws Exception {
        WriterFallbackBudget budget = budget(1, false);
        WriterFallbackBudget.Permit first = take(budget, ReadPriority.NORMAL);
        AtomicReference<Object> got = new AtomicReference<>();
        Thread waiter =
                new Thread(() -> got.set(Objects.requireNonNull(budget.acquire(ReadPriority.NORMAL, LONG.toNanos()))));
        waiter.start();
        awaitParked(waiter);
        first.release();
        waiter.join(DEADLINE.toMillis());
        assertThat(got.get()).isNotNull();
        assertThat(budget.active()).isOne();
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() throws Exception {
        WriterFallbackBudget budget = budget(1, false);
        take(budget, ReadPriority.NORMAL);
        List<Object> seen = new ArrayList<>();
        Thread waiter = new Thread(() -> {
            seen.add(budget.acquire(ReadPriority.NORMAL, LONG.toNanos()) == null);
            seen.add(Thread.currentThread().isInterrupted());
        });
        waiter.start();
        awaitParked(waiter);
        waiter.interrupt();
        waiter.join(DEADLINE.toMillis());
        assertThat(seen).containsExactly(true, true);
    }

    private static void awaitParked(Thread thread) {
        await().atMost(DEADLINE).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void limitsAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> new WriterFallbackLimits(0, false, LONG));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WriterFallbackLimits(1, false, Duration.ofMillis(-1)));
    }
}
