/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A token ends, and with it nothing is lost: by then no replica serves that lacks what it stood for. */
@ReplicatedPostgresTest
class TokenLifeTests {

    private static Instance one;

    private static Instance other;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        String[] properties = {"freshness.token.ttl=2s", "freshness.token.clock-allowance=200ms"};
        one = Instance.on(postgres, properties);
        other = Instance.on(postgres, properties);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
    }

    @Test
    void withOrWithoutAnExpiredTokenNoReadIsOlderThanItsLife(ReplicatedPostgres postgres) {
        postgres.replicas().forEach(PostgresNode::pauseReplay);
        WebClient client = WebClient.withHeader();
        client.put(one, "/items/1", "new");
        long written = System.nanoTime();
        String token = client.token();
        // The control: a replica still serves those who have no token, and shows the old value.
        Where stranger = WebClient.forgetful().read(other, "/items/1");
        assertThat(stranger.value()).isEqualTo("old");
        assertThat(stranger.inRecovery()).as("ran on a standby").isTrue();

        long life = Duration.ofSeconds(2).toNanos();
        while (System.nanoTime() - written < 2 * life) {
            assertThat(WebClient.withHeader(token).read(other, "/items/1").value())
                    .isEqualTo("new");
            boolean expired = System.nanoTime() - written >= life;
            Where where = WebClient.forgetful().read(other, "/items/1");
            if (expired) {
                assertThat(where.value()).isEqualTo("new");
                assertThat(where.inRecovery()).as("ran on a standby").isFalse();
            }
        }
        assertThat(other.tokens("expired")).isPositive();

        postgres.replicas().forEach(PostgresNode::resumeReplay);
        await().atMost(ReplicationBed.DEADLINE)
                .until(() -> WebClient.forgetful().read(other, "/items/1").inRecovery());
    }
}
