/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.web.HeaderTransport;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a client sends turns no read to the writer unless it is a token of ours. */
@ReplicatedPostgresTest
@ExtendWith(OutputCaptureExtension.class)
class FieldCaseH15Tests {

    private static final int READS = 1000;

    private static final String OLD_KEY = "freshness.token.keys.k0=fedcba9876543210fedcba9876543210";

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Signs with the previous key. */
    private static Instance before;

    /** Signs with the new one, and still knows the previous. */
    private static Instance instance;

    private ReplicatedPostgres postgres;

    private String token;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        before = Instance.on(postgres, OLD_KEY, "freshness.token.signing-key=k0");
        instance = Instance.on(postgres, OLD_KEY, "server.max-http-request-header-size=128KB");
    }

    @AfterAll
    static void stop() {
        before.close();
        instance.close();
    }

    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        this.postgres = postgres;
        WebClient client = WebClient.withHeader();
        client.put(instance, "/items/1", "new");
        this.token = client.token();
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(instance.database(), 2);
    }

    private static HttpResponse<String> get(String path, Map<String, String> headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + instance.port() + path));
        headers.forEach(request::header);
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Reads under both modes, all of which a replica serves. */
    private static void assertAllOnReplicas(Map<String, String> headers) throws Exception {
        for (String path : List.of("/items/1/eventual", "/items/1")) {
            for (int i = 0; i < READS; i++) {
                HttpResponse<String> response = get(path, headers);
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(WebClient.where(response).inRecovery())
                        .as("ran on a standby")
                        .isTrue();
                assertThat(response.headers().firstValue(HeaderTransport.HEADER))
                        .isEmpty();
            }
        }
    }

    private static void assertRejected(String text, String result) throws Exception {
        double before = instance.tokens(result);
        assertAllOnReplicas(Map.of(HeaderTransport.HEADER, text));
        assertThat(instance.tokens(result) - before).isEqualTo(2 * READS);
    }

    /** A token with one of its bytes changed. */
    private static String changed(String token, int fromEnd) {
        byte[] bytes = Base64.getUrlDecoder().decode(token);
        bytes[bytes.length - fromEnd] ^= 1;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Test
    void aFlagOfTheClientsOwnMeansNothing() throws Exception {
        assertAllOnReplicas(Map.of("X-Read-From-Primary", "true", "Cookie", "use_primary=1; freshness=primary"));
    }

    @Test
    void aChangedTokenIsRejected(CapturedOutput output) throws Exception {
        String text = changed(this.token, 1);
        assertRejected(text, "bad-signature");
        assertThat(output).doesNotContain(text.substring(0, 30));
    }

    @Test
    void aRaisedFloorWithTheOldSignatureIsRejected(CapturedOutput output) throws Exception {
        // The end of the floor: the signature has 32 bytes, the number of scopes one.
        String text = changed(this.token, 34);
        assertRejected(text, "bad-signature");
        assertThat(output).doesNotContain(text.substring(0, 30));
    }

    @Test
    void sixtyFourKilobytesOfRubbishAreNotLookedAt(CapturedOutput output) throws Exception {
        String text = "x".repeat(64 * 1024);
        assertRejected(text, "too-long");
        assertThat(output).doesNotContain(text.substring(0, 30));
    }

    @Test
    void ofTwoTokensTheHigherCounts() throws Exception {
        this.postgres.replicas().forEach(PostgresNode::pauseReplay);
        WebClient client = WebClient.withHeader();
        client.put(instance, "/items/1", "newest");
        for (String both : List.of(this.token + "," + client.token(), client.token() + ", " + this.token)) {
            HttpResponse<String> response = get("/items/1", Map.of(HeaderTransport.HEADER, both));
            assertThat(WebClient.where(response).value()).isEqualTo("newest");
            // One token for both, so that the client need not keep two.
            String merged =
                    response.headers().firstValue(HeaderTransport.HEADER).orElseThrow();
            assertThat(WebClient.withHeader(merged).read(instance, "/items/1").value())
                    .isEqualTo("newest");
        }
        // The control: with the lower one alone a replica serves the read, and shows what was there then.
        Where lower = WebClient.withHeader(this.token).read(instance, "/items/1");
        assertThat(lower.value()).isEqualTo("new");
        assertThat(lower.inRecovery()).as("ran on a standby").isTrue();
        String broken = changed(this.token, 1) + "," + client.token();
        assertThat(WebClient.withHeader(broken).read(instance, "/items/1").value())
                .isEqualTo("newest");
    }

    @Test
    void aTokenOfThePreviousKeyIsAccepted() {
        this.postgres.replicas().forEach(PostgresNode::pauseReplay);
        WebClient client = WebClient.withHeader();
        client.put(before, "/items/1", "newest");
        double valid = instance.tokens("valid");
        assertThat(client.read(instance, "/items/1").value()).isEqualTo("newest");
        assertThat(instance.tokens("valid") - valid).isEqualTo(1);
        assertThat(WebClient.forgetful().read(instance, "/items/1").value()).isEqualTo("new");
    }
}
