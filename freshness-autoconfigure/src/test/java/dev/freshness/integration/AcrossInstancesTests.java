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
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client writes at one instance and reads at another, while no replica replays anything. */
@ReplicatedPostgresTest
class AcrossInstancesTests {

    private static Instance one;

    private static Instance other;

    /** Does not wait for a sample of the writer where it does not know a position. */
    private static Instance hasty;

    private ReplicatedPostgres postgres;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        one = Instance.on(postgres);
        other = Instance.on(postgres);
        hasty = Instance.on(postgres, "freshness.wait-budget=0s");
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
        hasty.close();
    }

    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        this.postgres = postgres;
        postgres.primary().execute("delete from item where id > 1; update item set name = 'old'");
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(one.database(), 2);
        ReplicationBed.awaitEligibleReplicas(other.database(), 2);
        postgres.replicas().forEach(PostgresNode::pauseReplay);
    }

    private void assertSeen(Where where) {
        assertThat(where.value()).isEqualTo("new");
        assertThat(where.inRecovery()).as("ran on a standby").isFalse();
    }

    /** Without the token the same reads show what was there before. */
    private void assertControl() {
        Where stranger = WebClient.forgetful().read(other, "/items/1");
        assertThat(stranger.value()).isEqualTo("old");
        assertThat(stranger.inRecovery()).as("ran on a standby").isTrue();
    }

    @Test
    void theHeaderCarriesAWriteFromOneToTheOther() {
        WebClient client = WebClient.withHeader();
        assertThat(client.put(one, "/items/1", "new").statusCode()).isEqualTo(204);

        assertSeen(client.read(other, "/items/1"));
        assertControl();
        Where eventual = client.read(other, "/items/1/eventual");
        assertThat(eventual.value()).isEqualTo("old");
        assertThat(eventual.inRecovery()).as("ran on a standby").isTrue();
    }

    @Test
    void theCookieJarCarriesAWriteAcrossARedirect() {
        WebClient browser = WebClient.withCookieJar();
        HttpResponse<String> response = browser.post(one, "/items/1", "new");

        assertThat(response.uri().getPath()).isEqualTo("/items/1");
        assertSeen(WebClient.where(response));
        assertSeen(browser.read(other, "/items/1"));
        assertControl();
    }

    @Test
    void aReplicaThatHasCaughtUpServesTheReadThoughTheTokenIsStillSent() {
        WebClient client = WebClient.withHeader();
        client.put(one, "/items/1", "new");
        this.postgres.replicas().forEach(PostgresNode::resumeReplay);

        await().atMost(ReplicationBed.DEADLINE).untilAsserted(() -> {
            Where where = client.read(other, "/items/1");
            assertThat(where.value()).isEqualTo("new");
            assertThat(where.inRecovery()).as("ran on a standby").isTrue();
        });
        assertThat(client.tokens()).hasSize(1);
    }

    @Test
    void anErrorAfterTheCommitCarriesTheToken() {
        WebClient client = WebClient.withHeader();
        assertThat(client.put(one, "/items/1/and-fail", "new").statusCode()).isEqualTo(500);

        assertSeen(client.read(other, "/items/1"));
        assertControl();
    }

    @Test
    void aWriteWithoutAPositionOfItsOwnIsResolvedForTheToken() {
        WebClient client = WebClient.withHeader();
        client.put(one, "/items/1/without-transaction", "new");

        assertSeen(client.read(other, "/items/1"));
        assertControl();
        HttpResponse<String> refused = client.get(other, "/items/1/or-reject");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(refused.body())
                .contains("urn:freshness:problem:stale-not-allowed")
                .doesNotContain("Items");
    }

    @Test
    void aTransactionWithoutACapturedPositionIsResolvedForTheToken() {
        WebClient client = WebClient.withHeader();
        client.put(one, "/items/1/with-timeout", "new");

        String token = client.token();
        assertSeen(client.read(other, "/items/1"));
        assertControl();
        assertThat(client.token()).as("was known from the beginning").isEqualTo(token);
    }

    @Test
    void aWriteWhosePositionIsNotKnownInTimeIsSeenOnTheWriterAndKnownFromThereOn() {
        WebClient client = WebClient.withHeader();
        client.put(hasty, "/items/1/with-timeout", "new");

        String unknown = client.token();
        assertSeen(client.read(other, "/items/1"));
        assertThat(client.token()).as("replaced on that very response").isNotEqualTo(unknown);
        assertControl();
        this.postgres.replicas().forEach(PostgresNode::resumeReplay);
        await().atMost(ReplicationBed.DEADLINE).untilAsserted(() -> {
            Where where = client.read(other, "/items/1");
            assertThat(where.value()).isEqualTo("new");
            assertThat(where.inRecovery()).as("ran on a standby").isTrue();
        });
        // The token that does not know is replaced wherever it comes, and never served by a guess.
        assertThat(WebClient.withHeader(unknown).read(other, "/items/1").inRecovery())
                .as("ran on a standby")
                .isFalse();
    }

    @Test
    void aResponseWithATokenIsNotPubliclyCacheable() {
        HttpResponse<String> response = WebClient.withHeader().put(one, "/items/1", "new");

        assertThat(response.headers().firstValue("Cache-Control")).hasValue("private, no-cache");
        assertThat(response.headers().firstValue("Set-Cookie"))
                .get()
                .asString()
                .startsWith("freshness-")
                .contains("; HttpOnly")
                .contains("; SameSite=Lax")
                .doesNotContain("; Secure");
    }

    @Test
    void readsAndRequestsWithoutAnyUseOfADatabaseCarryNone() {
        WebClient client = WebClient.withHeader();
        client.put(one, "/items/1", "new");

        for (String path : new String[] {"/items/1", "/items/1/eventual", "/items/1/count", "/items/1/nothing"}) {
            HttpResponse<String> response = client.get(other, path);
            assertThat(response.headers().firstValue(HeaderTransport.HEADER))
                    .as(path)
                    .isEmpty();
            assertThat(response.headers().firstValue("Set-Cookie")).as(path).isEmpty();
            assertThat(response.headers().firstValue("Cache-Control")).as(path).isEmpty();
        }
    }
}
