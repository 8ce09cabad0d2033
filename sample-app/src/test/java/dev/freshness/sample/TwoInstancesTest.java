/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The service twice on the same servers: what is saved at one instance is seen at the other. */
@ReplicatedPostgresTest
class TwoInstancesTest {

    private static final String PROFILE = "/profiles/7";

    private static final String TOKEN = "Freshness-Token";

    private static ConfigurableApplicationContext one;

    private static ConfigurableApplicationContext other;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        one = instance(postgres);
        other = instance(postgres);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
    }

    private static ConfigurableApplicationContext instance(ReplicatedPostgres postgres) {
        return new SpringApplicationBuilder(SampleApplication.class)
                .profiles(EmbeddedServers.EXTERNAL)
                .properties(Map.<String, Object>copyOf(postgres.properties()))
                .properties("server.port=0", "spring.jmx.enabled=false")
                .run();
    }

    private static HttpResponse<String> send(
            HttpClient http, ConfigurableApplicationContext to, String method, String body, String... headers)
            throws Exception {
        String port = to.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + PROFILE))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response;
    }

    private static void assertOldOnAReplica(HttpResponse<String> response) {
        assertThat(response.body()).contains("Ada");
        assertThat(response.headers().firstValue(SampleTest.SERVED_BY))
                .hasValueSatisfying(node -> assertThat(node).matches(SampleTest.REPLICA));
    }

    private static void assertNewOnTheWriter(HttpResponse<String> response) {
        assertThat(response.body()).contains("Countess");
        assertThat(response.headers().firstValue(SampleTest.SERVED_BY)).hasValue("writer");
    }

    @Test
    void whatIsSavedAtOneIsSeenAtTheOther(ReplicatedPostgres postgres) throws Exception {
        HttpClient plain = HttpClient.newHttpClient();
        HttpClient browser =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        send(plain, one, "PUT", "{\"displayName\":\"Ada\"}");
        postgres.awaitCaughtUp();
        await().atMost(SampleTest.PATIENCE).untilAsserted(() -> assertOldOnAReplica(send(plain, other, "GET", "")));
        postgres.replicas().forEach(PostgresNode::pauseReplay);

        String token = send(plain, one, "PUT", "{\"displayName\":\"Countess\"}")
                .headers()
                .firstValue(TOKEN)
                .orElseThrow();
        assertNewOnTheWriter(send(plain, other, "GET", "", TOKEN, token));
        assertOldOnAReplica(send(plain, other, "GET", ""));

        send(browser, one, "PUT", "{\"displayName\":\"Countess of Lovelace\"}");
        assertNewOnTheWriter(send(browser, other, "GET", ""));
        assertOldOnAReplica(send(plain, other, "GET", ""));
    }
}
