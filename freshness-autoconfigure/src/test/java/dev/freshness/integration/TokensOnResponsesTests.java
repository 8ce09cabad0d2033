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
import dev.freshness.web.HeaderTransport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However a response is committed after a transaction, its client gets the token of that, once, and nothing else changes. */
@ReplicatedPostgresTest
class TokensOnResponsesTests {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static Instance instance;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        instance = Instance.with(postgres, ResponseRequests.class, "freshness.max-staleness=5m");
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        postgres.primary().execute("update item set name = 'old'");
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(instance.database(), 2);
        postgres.replicas().forEach(PostgresNode::pauseReplay);
    }

    private static HttpResponse<String> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + instance.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static void assertToldOnce(HttpResponse<String> response, String name) {
        List<String> tokens = response.headers().allValues(HeaderTransport.HEADER);
        assertThat(tokens).as("tokens").hasSize(1);
        List<String> cookies = response.headers().allValues("Set-Cookie");
        assertThat(cookies.stream().filter(cookie -> cookie.startsWith("freshness-application=")))
                .as("cookies with tokens")
                .singleElement()
                .asString()
                .startsWith("freshness-application=" + tokens.get(0) + ";");
        assertThat(response.headers().allValues("Cache-Control"))
                .singleElement()
                .asString()
                .contains("private");
        Where stranger = WebClient.forgetful().read(instance, "/items/1");
        assertThat(stranger.value()).as("seen without a token").isEqualTo("old");
        assertThat(WebClient.withHeader(tokens.get(0))
                        .read(instance, "/items/1")
                        .value())
                .as("seen with the token")
                .isEqualTo(name);
    }

    private static void assertOthersUntouched(HttpResponse<String> response) {
        assertThat(response.headers().allValues("Set-Cookie"))
                .filteredOn(cookie -> !cookie.startsWith("freshness-") && !cookie.startsWith("SESSION="))
                .containsExactly("other=1; Path=/", "freshness=2; Path=/");
    }

    private static void assertNothingTold(HttpResponse<String> response) {
        assertThat(response.headers().allValues(HeaderTransport.HEADER)).isEmpty();
        assertThat(response.headers().allValues("Set-Cookie"))
                .noneMatch(cookie -> cookie.startsWith("freshness-application="));
    }

    @ParameterizedTest
    @CsvSource({
        "/responses/small, 200, 5",
        "/responses/large, 200, 100000",
        "/responses/large-by-bytes, 200, 100000",
        "/responses/large-by-buffer, 200, 100000",
        "/responses/large-by-characters, 200, 30000",
        "/responses/exact-length, 200, 5",
        "/responses/exact-length-by-header, 200, 5",
        "/responses/exact-length-told-later, 200, 5",
        "/responses/println-and-flush, 200, 5",
        "/responses/flush-of-the-stream, 200, 0",
        "/responses/close-of-the-stream, 200, 0",
        "/responses/close-of-the-writer, 200, 0",
        "/responses/flush-buffer, 200, 5",
        "/responses/print-then-write, 200, 3000",
        "/responses/print-twice, 200, 103000",
        "/responses/no-content, 204, 0",
        "/responses/send-error, 409, -1",
        "/responses/send-error-without-message, 409, -1",
        "/responses/send-redirect, 302, 0",
        "/responses/send-redirect-with-status, 303, 0",
        "/responses/send-redirect-with-body, 302, 9",
        "/responses/send-redirect-with-status-and-body, 303, 9",
        "/responses/throw, 500, -1",
        "/responses/throw-with-status, 409, -1",
        "/responses/print-then-throw, 500, -1",
        "/responses/callable, 200, 5",
        "/responses/callable-that-fails, 500, -1",
        "/responses/deferred, 200, 5",
        "/responses/streaming, 200, 100004",
        "/responses/events, 200, 25",
        "/responses/forward, 200, 5",
        "/responses/print, 200, 5",
        "/responses/forward-to-print, 200, 5",
        "/responses/write-then-forward, 200, -1",
        "/responses/include, 200, 5",
        "/responses/include-large, 200, 100000",
        "/responses/reset, 200, 5",
        "/responses/reset-of-the-buffer, 200, 5",
        "/responses/public, 200, 3000",
        "/etag/small, 200, 5",
        "/etag/large-by-bytes, 200, 100000",
        "/caching/small, 200, 5",
        "/caching/large-by-characters, 200, 30000",
        "/caching/send-error, 409, -1",
        "/session/small, 200, 5",
        "/session/with-http-session, 200, 100000",
        "/session/throw, 500, -1",
    })
    void theTokenArrivesOnce(String path, int status, int length) throws Exception {
        double issued = instance.tokens("issued");
        double tooLate = instance.tokens("too-late");

        HttpResponse<String> response = send("GET", path + "?name=new");

        assertThat(response.statusCode()).isEqualTo(status);
        if (length >= 0) {
            assertThat(response.body()).hasSize(length);
        }
        assertOthersUntouched(response);
        assertThat(instance.tokens("too-late")).isEqualTo(tooLate);
        assertThat(instance.tokens("issued") - issued).as("issued").isEqualTo(1);
        assertToldOnce(response, "new");
    }

    @Test
    void anHttpSessionIsKeptByItsOwnCookie() throws Exception {
        HttpResponse<String> response = send("GET", "/session/with-http-session?name=new");
        assertThat(response.headers().allValues("Set-Cookie"))
                .filteredOn(cookie -> cookie.startsWith("SESSION="))
                .hasSize(1);
    }

    @Test
    void aResponseWithoutABodyCarriesIt() throws Exception {
        HttpResponse<String> response = send("HEAD", "/responses/small?name=new");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEmpty();
        assertToldOnce(response, "new");
    }

    @Test
    void soDoesOneThatSaysThatNothingHasChanged() throws Exception {
        String etag = send("GET", "/etag/small?name=before")
                .headers()
                .firstValue("ETag")
                .orElseThrow();
        HttpResponse<String> response = send("GET", "/etag/small?name=new", "If-None-Match", etag);
        assertThat(response.statusCode()).isEqualTo(304);
        assertToldOnce(response, "new");
    }

    @ParameterizedTest
    @CsvSource({"/responses/flush-then-write, 4", "/responses/streaming-then-write, 100000"})
    void aCommitAfterThatOfTheResponseIsCounted(String path, int length) throws Exception {
        double issued = instance.tokens("issued");
        double tooLate = instance.tokens("too-late");

        HttpResponse<String> response = send("GET", path + "?name=new");

        assertThat(response.body()).hasSize(length);
        assertNothingTold(response);
        await().atMost(ReplicationBed.DEADLINE)
                .untilAsserted(
                        () -> assertThat(instance.tokens("too-late") - tooLate).isEqualTo(1));
        assertThat(instance.tokens("issued")).isEqualTo(issued);
    }

    @ParameterizedTest
    @CsvSource({"/text.txt", "/responses/read", "/missing"})
    void whatCommitsNothingCarriesNone(String path) throws Exception {
        HttpResponse<String> response = send("GET", path);
        assertNothingTold(response);
        assertThat(response.headers().allValues("Cache-Control")).isEmpty();
    }
}
