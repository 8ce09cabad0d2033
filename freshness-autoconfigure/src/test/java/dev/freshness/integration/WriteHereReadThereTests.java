/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many writes at one instance, each read at another at once, while the replicas replay as fast as they can. */
@ReplicatedPostgresTest
class WriteHereReadThereTests {

    private static final int CLIENTS = 4;

    private static final int ROUNDS = 2500;

    @Test
    void noReadIsStaleAndNoTokenIsTakenForAForeignOne(ReplicatedPostgres postgres) throws Exception {
        AtomicInteger stale = new AtomicInteger();
        AtomicInteger onReplicas = new AtomicInteger();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (Instance here = Instance.on(postgres);
                Instance there = Instance.on(postgres)) {
            List<Callable<Void>> work = IntStream.range(0, CLIENTS)
                    .<Callable<Void>>mapToObj(client -> () -> {
                        WebClient http = WebClient.withHeader();
                        String item = "/items/" + (100 + client);
                        for (int round = 0; round < ROUNDS; round++) {
                            String value = "round " + round;
                            http.put(here, item, value);
                            Where where = http.read(there, item);
                            stale.addAndGet(value.equals(where.value()) ? 0 : 1);
                            onReplicas.addAndGet(where.inRecovery() ? 1 : 0);
                        }
                        return null;
                    })
                    .toList();
            for (Future<Void> done : clients.invokeAll(work, 5, TimeUnit.MINUTES)) {
                done.get();
            }
            double foreign = 0;
            for (String result : List.of("other-cluster", "other-history", "beyond-writer")) {
                foreign += there.tokens(result) + here.tokens(result);
            }
            System.out.printf(
                    "%d writes here, each read there: %d stale, %.0f%% on replicas, %.0f tokens foreign%n",
                    CLIENTS * ROUNDS, stale.get(), 100.0 * onReplicas.get() / (CLIENTS * ROUNDS), foreign);
            assertThat(stale).hasValue(0);
            assertThat(foreign).isZero();
            assertThat(there.tokens("valid")).isEqualTo(CLIENTS * ROUNDS);
            assertThat(onReplicas).hasPositiveValue();
        } finally {
            clients.shutdownNow();
        }
    }
}
