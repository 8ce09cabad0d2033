/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

class CatalogTest extends SampleTest {

    private static final String TEAPOT = "$[?(@.name == 'Teapot')]";

    @Test
    void aReplicaAnswersWithTheItems() {
        get("/catalog")
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueMatches(SERVED_BY, REPLICA)
                .expectBody()
                .jsonPath("$[0].id")
                .isEqualTo(1)
                .jsonPath("$[0].name")
                .isEqualTo("Coffee grinder")
                .jsonPath("$[0].price")
                .isEqualTo(49.90);
    }

    @Test
    void aPausedReplicaAnswersWithTheItemsOfThen() {
        pauseReplicas();
        cluster.primary().execute("INSERT INTO item (name, price) VALUES ('Teapot', 20)");
        try {
            for (int i = 0; i < 2; i++) {
                catalog().expectBody().jsonPath(TEAPOT).isEmpty();
            }

            resumeReplicas();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> catalog().expectBody().jsonPath(TEAPOT).isNotEmpty());
        } finally {
            cluster.primary().execute("DELETE FROM item WHERE name = 'Teapot'");
        }
    }

    @Test
    void theWriterAnswersWhenThereIsNoReplica() {
        cluster.replicas().forEach(PostgresNode::stop);

        // One statement without a transaction is not run again: one that had a replica's connection in hand can fail.
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        get("/catalog").expectStatus().isOk().expectHeader().valueEquals(SERVED_BY, "writer"));
    }

    private ResponseSpec catalog() {
        return get("/catalog").expectStatus().isOk().expectHeader().valueMatches(SERVED_BY, REPLICA);
    }
}
