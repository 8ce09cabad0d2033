/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.MediaType;

class OrdersTest extends SampleTest {

    @Test
    void anOrderIsPlacedOnTheWriterAndReadOnAReplica() {
        URI location = placeOrder();
        cluster.awaitCaughtUp();

        get(location.toString())
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueMatches(SERVED_BY, REPLICA)
                .expectBody()
                .jsonPath("$.itemId")
                .isEqualTo(1)
                .jsonPath("$.quantity")
                .isEqualTo(2)
                .jsonPath("$.unitPrice")
                .isEqualTo(49.90)
                .jsonPath("$.placedAt")
                .exists();
    }

    @Test
    void anotherRequestFindsTheOrderWhenTheReplicasHaveCaughtUp() {
        pauseReplicas();
        URI location = placeOrder();

        // Another request is another session: it owes nothing to the first.
        get(location.toString()).expectStatus().isNotFound().expectHeader().valueMatches(SERVED_BY, REPLICA);

        resumeReplicas();
        await().atMost(PATIENCE)
                .untilAsserted(() -> get(location.toString())
                        .expectStatus()
                        .isOk()
                        .expectHeader()
                        .valueMatches(SERVED_BY, REPLICA));
    }

    @Test
    void anOrderIsRefusedRatherThanReadOnTheWriter() {
        URI location = placeOrder();
        cluster.replicas().forEach(PostgresNode::stop);

        // A read that has a replica's connection in hand when it stops fails in another way.
        await().atMost(PATIENCE)
                .untilAsserted(() -> get(location.toString()).expectStatus().isEqualTo(503));
        get(location.toString())
                .expectStatus()
                .isEqualTo(503)
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectHeader()
                .valueEquals("Retry-After", "1")
                .expectHeader()
                .doesNotExist(SERVED_BY)
                .expectBody()
                .jsonPath("$.type")
                .value(String.class, type -> assertThat(type).endsWith("stale-not-allowed"))
                .jsonPath("$.status")
                .isEqualTo(503);
    }

    @Test
    void anUnknownOrderIsNotFound() {
        get("/orders/0")
                .expectStatus()
                .isNotFound()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("There is no order 0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"itemId": 1, "quantity": 0}    | quantity
                    {"itemId": 1, "quantity": 1001} | quantity
                    {"itemId": 1}                   | quantity
                    {"quantity": 1}                 | itemId
                    {"itemId": 0, "quantity": 1}    | itemId
                    """)
    void anInvalidOrderIsRejectedByTheNameOfTheField(String json, String field) {
        post("/orders", json)
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.errors." + field)
                .exists()
                .jsonPath("$.errors.length()")
                .isEqualTo(1);
    }

    @Test
    void whatIsNotJsonIsRejected() {
        post("/orders", "two of those")
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON);
    }

    private URI placeOrder() {
        return requireNonNull(post("/orders", "{\"itemId\": 1, \"quantity\": 2}")
                .expectStatus()
                .isCreated()
                .expectHeader()
                .valueEquals(SERVED_BY, "writer")
                .returnResult()
                .getResponseHeaders()
                .getLocation());
    }
}
