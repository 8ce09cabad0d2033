/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.PostgresNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

class LabTest extends SampleTest {

    @Test
    void theReplicasStreamFromThePrimary() {
        assertThat(cluster.primary().query("SELECT count(*) FROM pg_stat_replication"))
                .isEqualTo("2");
    }

    @Test
    void aReplicaIsPausedAndResumed() {
        PostgresNode replica = cluster.replica("replica-1");

        lab("replica-1/pause").expectStatus().isNoContent();
        assertThat(replica.query("SELECT pg_get_wal_replay_pause_state()")).isEqualTo("paused");

        lab("replica-1/resume").expectStatus().isNoContent();
        assertThat(replica.query("SELECT pg_get_wal_replay_pause_state()")).isEqualTo("not paused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume"})
    void anUnknownReplicaIsNotFound(String action) {
        lab("primary/" + action)
                .expectStatus()
                .isNotFound()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("There is no replica primary");
    }

    private ResponseSpec lab(String path) {
        return client.post().uri("/lab/replicas/" + path).exchange();
    }
}
