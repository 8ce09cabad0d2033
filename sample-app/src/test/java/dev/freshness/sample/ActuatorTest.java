/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActuatorTest extends SampleTest {

    @Test
    void healthShowsTheNodes() {
        get("/actuator/health")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.components.freshness.status")
                .isEqualTo("UP")
                .jsonPath("$.components.freshness.details.degraded")
                .isEqualTo(false)
                .jsonPath("$.components.freshness.details.default.writer.role")
                .isEqualTo("primary")
                .jsonPath("$.components.freshness.details.default.replica-1.role")
                .isEqualTo("standby")
                .jsonPath("$.components.freshness.details.default.replica-2.role")
                .isEqualTo("standby");
    }

    @Test
    void theEndpointTellsTheWriterFromTheReplicas() {
        get("/actuator/freshness")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.databases.default.nodes.length()")
                .isEqualTo(3)
                .jsonPath("$.databases.default.nodes.writer.role")
                .isEqualTo("primary")
                .jsonPath("$.databases.default.nodes.replica-1.role")
                .isEqualTo("standby")
                .jsonPath("$.databases.default.nodes.replica-1.eligible")
                .isEqualTo(true)
                .jsonPath("$.databases.default.nodes.replica-2.role")
                .isEqualTo("standby");
    }

    @Test
    void decisionsAreCounted() {
        String metrics = get("/actuator/prometheus")
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody();

        assertThat(metrics)
                .containsPattern("freshness_decisions_total\\{.*mode=\"eventual\".*outcome=\"replica\".*} [1-9]");
    }
}
