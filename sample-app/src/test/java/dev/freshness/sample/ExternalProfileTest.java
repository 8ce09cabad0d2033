/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.UseMainMethod;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The service with servers that were there before it, here those of the test. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, useMainMethod = UseMainMethod.ALWAYS)
@AutoConfigureRestTestClient
@ActiveProfiles(EmbeddedServers.EXTERNAL)
@ReplicatedPostgresTest(names = "east")
class ExternalProfileTest {

    @Autowired
    RestTestClient client;

    @Test
    void itUsesTheGivenServers() {
        await().atMost(SampleTest.PATIENCE)
                .untilAsserted(() -> client.get()
                        .uri("/catalog")
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectHeader()
                        .valueEquals(SampleTest.SERVED_BY, "east"));
    }

    @Test
    void itStartsNoServers(@Autowired ObjectProvider<ReplicatedPostgres> clusters) {
        assertThat(clusters.stream()).isEmpty();
    }

    @Test
    void itHasNoLab() {
        client.post().uri("/lab/replicas/east/pause").exchange().expectStatus().isNotFound();
    }
}
