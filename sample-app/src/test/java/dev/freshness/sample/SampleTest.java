/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.UseMainMethod;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/** The service as it runs by default, with its own servers, which are healthy at the beginning of each test. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        useMainMethod = UseMainMethod.ALWAYS,
        // Tests stop servers; what the log says of that is not news.
        properties = {"logging.level.com.zaxxer.hikari=error", "logging.level.dev.freshness.monitor=error"})
@AutoConfigureRestTestClient
abstract class SampleTest {

    static final String SERVED_BY = "Freshness-Served-By";

    static final String REPLICA = "replica-[12]";

    static final Duration PATIENCE = Duration.ofSeconds(10);

    @Autowired
    RestTestClient client;

    @Autowired
    ReplicatedPostgres cluster;

    @BeforeEach
    void bothReplicasServe() {
        cluster.reset();
        // Replicas take turns, so two requests in a row meet both.
        await().atMost(PATIENCE)
                .until(
                        () -> Stream.of("/catalog", "/catalog")
                                .map(this::servedBy)
                                .collect(Collectors.toSet()),
                        Set.of("replica-1", "replica-2")::equals);
    }

    void pauseReplicas() {
        cluster.replicas().forEach(PostgresNode::pauseReplay);
    }

    void resumeReplicas() {
        cluster.replicas().forEach(PostgresNode::resumeReplay);
    }

    ResponseSpec get(String uri, Object... variables) {
        return client.get().uri(uri, variables).exchange();
    }

    ResponseSpec put(String uri, String json) {
        return client.put()
                .uri(uri)
                .contentType(MediaType.APPLICATION_JSON)
                .body(json)
                .exchange();
    }

    ResponseSpec post(String uri, String json) {
        return client.post()
                .uri(uri)
                .contentType(MediaType.APPLICATION_JSON)
                .body(json)
                .exchange();
    }

    private String servedBy(String uri) {
        return requireNonNull(get(uri).expectStatus()
                .isOk()
                .returnResult()
                .getResponseHeaders()
                .getFirst(SERVED_BY));
    }
}
