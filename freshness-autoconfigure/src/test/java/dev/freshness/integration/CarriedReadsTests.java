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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client turns pages, while of two replicas one has what somebody else has written and the other has not. */
@ReplicatedPostgresTest
class CarriedReadsTests {

    private static final int PAGES = 40;

    private static final String[] SETTINGS = {
        "freshness.replica-choice=round-robin", "freshness.max-staleness=5m", "freshness.web.token-transport=header"
    };

    private static String[] carrying() {
        List<String> settings = new ArrayList<>(List.of(SETTINGS));
        settings.add("freshness.token.carry-reads=true");
        return settings.toArray(String[]::new);
    }

    /** Writes as somebody else would, and lets only the replica that is not paused have it. */
    private static void writeWhileOneStandsStill(PostgresNode paused, ReplicatedPostgres postgres, Instance... all) {
        postgres.replicas().forEach(PostgresNode::resumeReplay);
        postgres.primary().execute("update item set name = 'old'");
        postgres.awaitCaughtUp();
        for (Instance instance : all) {
            ReplicationBed.awaitEligibleReplicas(instance.database(), 2);
        }
        paused.pauseReplay();
        postgres.primary().execute("update item set name = 'new'");
        for (Instance instance : all) {
            ReplicationBed.awaitEligibleReplicas(instance.database(), 1);
        }
    }

    /** A client of no history that has just read the new value on the replica that has it. */
    private static WebClient afterTheNewPage(Instance instance) {
        WebClient[] client = new WebClient[1];
        await().atMost(ReplicationBed.DEADLINE).until(() -> {
            client[0] = WebClient.withHeader();
            Where where = client[0].read(instance, "/items/1");
            return where.inRecovery() && "new".equals(where.value());
        });
        return client[0];
    }

    private static List<String> pages(WebClient client, Instance instance) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < PAGES; i++) {
            values.add(String.valueOf(client.read(instance, "/items/1").value()));
        }
        return values;
    }

    @Test
    void theNextPageOfAnotherInstanceNeverGoesBack(ReplicatedPostgres postgres) {
        try (Instance one = Instance.on(postgres, carrying());
                Instance other = Instance.on(postgres, carrying())) {
            for (PostgresNode paused : postgres.replicas()) {
                writeWhileOneStandsStill(paused, postgres, one, other);
                WebClient client = afterTheNewPage(one);
                assertThat(client.tokens()).hasSize(1);
                assertThat(pages(client, other)).containsOnly("new");
                assertThat(pages(WebClient.withHeader(client.token()), other)).containsOnly("new");
                assertThat(pages(WebClient.forgetful(), other))
                        .as("without a token")
                        .contains("old", "new");
            }
        }
    }

    @Test
    void withoutThePropertyItDoes(ReplicatedPostgres postgres) {
        try (Instance one = Instance.on(postgres, SETTINGS);
                Instance other = Instance.on(postgres, SETTINGS)) {
            writeWhileOneStandsStill(postgres.replicas().get(0), postgres, one, other);
            WebClient client = afterTheNewPage(one);
            assertThat(client.tokens()).isEmpty();
            assertThat(pages(client, other)).contains("old", "new");
        }
    }

    @Test
    void whatReadsNothingCarriesNone(ReplicatedPostgres postgres) {
        try (Instance instance = Instance.on(postgres, carrying())) {
            HttpResponse<String> response = WebClient.withHeader().get(instance, "/items/1/nothing");
            assertThat(response.headers().allValues(HeaderTransport.HEADER)).isEmpty();
        }
    }
}
