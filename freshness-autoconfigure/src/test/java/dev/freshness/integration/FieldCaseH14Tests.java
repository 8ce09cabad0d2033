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

/** The promise lasts for many requests, and ends where a replica keeps it anyway. */
@ReplicatedPostgresTest
class FieldCaseH14Tests {

    private static final Duration TTL = Duration.ofSeconds(4);

    private static Instance one;

    private static Instance other;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        String[] properties = {"freshness.token.ttl=" + TTL.toSeconds() + "s", "freshness.token.clock-allowance=1s"};
        one = Instance.on(postgres, properties);
        other = Instance.on(postgres, properties);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
    }

    @Test
    void everyRequestSeesTheWriteUntilReplicasHaveIt(ReplicatedPostgres postgres) {
        postgres.replicas().forEach(PostgresNode::pauseReplay);
        WebClient client = WebClient.withHeader();
        long written = System.nanoTime();
        client.post(one, "/items/14", "new");
        String token = client.token();

        long interval = Duration.ofMillis(100).toNanos();
        int reads = 0;
        // Over many intervals of the monitor, and well within the token's life.
        while (System.nanoTime() - written < 10 * interval) {
            Where item = client.read(reads % 2 == 0 ? one : other, "/items/14");
            assertThat(item.value()).isEqualTo("new");
            assertThat(item.inRecovery()).as("ran on a standby").isFalse();
            Where list = client.read(reads % 2 == 0 ? other : one, "/items/14/count");
            assertThat(list.inRecovery()).as("ran on a standby").isFalse();
            assertThat(client.tokens()).containsExactly(token);
            reads++;
        }
        assertThat(WebClient.forgetful().read(other, "/items/14").value()).isNull();

        postgres.replicas().forEach(PostgresNode::resumeReplay);
        await().atMost(ReplicationBed.DEADLINE).untilAsserted(() -> {
            Where item = client.read(other, "/items/14");
            assertThat(item.value()).isEqualTo("new");
            assertThat(item.inRecovery()).as("ran on a standby").isTrue();
        });
        assertThat(client.tokens()).containsExactly(token);

        await().atMost(ReplicationBed.DEADLINE).untilAsserted(() -> {
            assertThat(client.get(other, "/items/14").statusCode()).isEqualTo(200);
            assertThat(other.tokens("expired")).isPositive();
        });
        assertThat(client.read(other, "/items/14").value()).isEqualTo("new");
    }
}
