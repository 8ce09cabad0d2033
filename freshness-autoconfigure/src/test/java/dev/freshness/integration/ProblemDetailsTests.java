/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.web.FreshnessProblemDetails;
import dev.freshness.web.HeaderTransport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A read that is refused is told as such, never as an empty answer, and never by what it came across. */
@ReplicatedPostgresTest
class ProblemDetailsTests {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static Instance instance;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        instance = Instance.with(postgres, WithCatchAll.class, "freshness.max-staleness=5m");
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @BeforeEach
    void pause(ReplicatedPostgres postgres) {
        postgres.replicas().forEach(PostgresNode::pauseReplay);
    }

    private static HttpResponse<String> get(Instance at, String path, String accept)
            throws IOException, InterruptedException {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + at.port() + path))
                        .header("Accept", accept)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static void assertProblem(HttpResponse<String> response, String type) {
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().allValues("Retry-After")).containsExactly("1");
        assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
        JsonNode problem = JsonMapper.shared().readTree(response.body());
        assertThat(problem.get("type").asString()).isEqualTo("urn:freshness:problem:" + type);
        assertThat(problem.get("status").asInt()).isEqualTo(503);
        assertThat(problem.get("title").asString()).isEqualTo("Service Unavailable");
        assertThat(problem.get("detail").asString()).endsWith("Try again.");
        assertThat(response.body())
                .doesNotContainIgnoringCase("replica-1", "jdbc", "host", "select", "Items", "dev.freshness", "begun");
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "text", "callable", "deferred", "streaming", "streaming-in-the-buffer"})
    void aRefusedReadIsTold(String path) throws Exception {
        HttpResponse<String> response = get(instance, "/refused/" + path, "*/*");
        assertProblem(response, "stale-not-allowed");
        assertThat(response.headers().allValues(HeaderTransport.HEADER))
                .as("the token of what was written before")
                .hasSize(1);
    }

    @Test
    void aResponseThatIsOnItsWayIsCutOff() {
        assertThatThrownBy(() -> get(instance, "/refused/streaming-on-its-way", "*/*"))
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "fallback-exhausted, stale-not-allowed",
        "writer-unavailable, writer-unavailable",
        "replica-conflict, replica-conflict",
        "wrapped, stale-not-allowed",
    })
    void whateverIsOverInAMomentIsToldWithoutInternals(String path, String type) throws Exception {
        assertProblem(get(instance, "/refused/" + path, "*/*"), type);
    }

    @Test
    void aBrowserIsToldTheSame() throws Exception {
        assertProblem(get(instance, "/refused/read", "text/html"), "stale-not-allowed");
    }

    @Test
    void whatIsMetIsAnswered(ReplicatedPostgres postgres) throws Exception {
        assertThat(get(instance, "/items/1", "*/*").statusCode()).isEqualTo(200);
    }

    @Test
    void anAdviceWithAnOrderOfItsOwnComesFirst(ReplicatedPostgres postgres) throws Exception {
        try (Instance at = Instance.with(postgres, WithOwnAdvice.class)) {
            postgres.replicas().forEach(PostgresNode::pauseReplay);
            HttpResponse<String> response = get(at, "/refused/read", "*/*");
            assertThat(response.statusCode()).isEqualTo(425);
            assertThat(response.body()).isEqualTo("by the application");
        }
    }

    @Test
    void thePropertyTurnsItOff(ReplicatedPostgres postgres) throws Exception {
        try (Instance at = Instance.with(postgres, RefusedRequests.class, "freshness.web.problem-details=false")) {
            assertThat(at.context().getBeanProvider(FreshnessProblemDetails.class))
                    .isEmpty();
            postgres.replicas().forEach(PostgresNode::pauseReplay);
            HttpResponse<String> response = get(at, "/refused/read", "*/*");
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.headers().allValues("Retry-After")).isEmpty();
        }
    }

    @Import(RefusedRequests.class)
    static class WithCatchAll {

        @Bean
        CatchAll catchAll() {
            return new CatchAll();
        }
    }

    /** Without an order, and earlier in the alphabet than ours. */
    @RestControllerAdvice
    static class CatchAll {

        @ExceptionHandler
        ResponseEntity<String> anything(Exception ex) {
            return ResponseEntity.status(HttpStatus.INTERNAL_SERVER_ERROR).body("caught by the application");
        }
    }

    @Import(RefusedRequests.class)
    static class WithOwnAdvice {

        @Bean
        OwnAdvice ownAdvice() {
            return new OwnAdvice();
        }
    }

    @RestControllerAdvice
    @Order(0)
    static class OwnAdvice {

        @ExceptionHandler
        ResponseEntity<String> stale(StaleReadNotAllowedException ex) {
            return ResponseEntity.status(HttpStatus.TOO_EARLY).body("by the application");
        }
    }
}
