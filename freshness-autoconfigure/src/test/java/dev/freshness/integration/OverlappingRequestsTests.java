/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two requests of one client overlap, and the one that committed first ends last, with the lower floor. */
@ReplicatedPostgresTest
class OverlappingRequestsTests {

    private static Instance instance;

    private static Instance withSession;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        instance = Instance.on(postgres);
        withSession = Instance.on(postgres, "freshness.web.token-transport=http-session");
    }

    @AfterAll
    static void stop() {
        instance.close();
        withSession.close();
    }

    /** The first write is on the replicas, the second is not, and the first one's response comes last. */
    private static void endInReverseOrder(WebClient client, Instance at, ReplicatedPostgres postgres) throws Exception {
        postgres.primary().execute("delete from item where id in (2, 3)");
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(at.database(), 2);
        ItemRequests requests = at.context().getBean(ItemRequests.class);
        requests.close();
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> client.put(at, "/items/2/held", "first"));
        requests.awaitHeld();
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(at.database(), 2);
        postgres.replicas().forEach(PostgresNode::pauseReplay);
        client.put(at, "/items/3", "second");
        requests.open();
        first.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aClientThatKeepsTheHeaderNeverLosesTheHigherFloor(ReplicatedPostgres postgres) throws Exception {
        WebClient client = WebClient.withHeader();
        endInReverseOrder(client, instance, postgres);
        assertThat(client.tokens()).hasSize(2);
        String last = client.tokens().get(1);

        Where where = client.read(instance, "/items/3");
        assertThat(where.value()).isEqualTo("second");
        assertThat(where.inRecovery()).as("ran on a standby").isFalse();
        assertThat(client.tokens()).as("told what both come to").hasSize(1);
        assertThat(client.read(instance, "/items/3").value()).isEqualTo("second");
        // The control: the token that came last does not have it.
        Where control = WebClient.withHeader(last).read(instance, "/items/3");
        assertThat(control.value()).isNull();
        assertThat(control.inRecovery()).as("ran on a standby").isTrue();
    }

    /** A browser has one cookie, and the last response sets it: the limit that the documentation names. */
    @Test
    void aCookieIsThatOfTheLastResponse(ReplicatedPostgres postgres) throws Exception {
        WebClient browser = WebClient.withCookieJar();
        endInReverseOrder(browser, instance, postgres);

        assertThat(browser.read(instance, "/items/3").value()).isNull();
        assertThat(browser.read(instance, "/items/2").value()).isEqualTo("first");
    }

    @Test
    void anHttpSessionKeepsTheHigherFloor(ReplicatedPostgres postgres) throws Exception {
        WebClient browser = WebClient.withCookieJar();
        // Both requests are of one session.
        browser.put(withSession, "/items/4", "login");
        endInReverseOrder(browser, withSession, postgres);

        assertThat(browser.read(withSession, "/items/3").value()).isEqualTo("second");
        assertThat(WebClient.forgetful().read(withSession, "/items/3").value()).isNull();
    }
}
