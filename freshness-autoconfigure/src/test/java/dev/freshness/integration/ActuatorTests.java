/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.actuate.DatabaseReport;
import dev.freshness.actuate.FreshnessEndpoint;
import dev.freshness.actuate.NodeReport;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;

/** What operators see, and that a replica's trouble is not the application's. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            ReplicatedApplication.WITHOUT_JPA,
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.freshness.access=read-only"
        })
class ActuatorTests extends ReplicationBed {

    @Autowired
    FreshnessEndpoint endpoint;

    @Autowired
    HealthIndicator freshnessHealthIndicator;

    @Autowired
    HealthContributor dbHealthContributor;

    @Autowired
    MeterRegistry meters;

    private Map<String, NodeReport> nodes() {
        DatabaseReport report = this.endpoint.freshness().databases().get("default");
        return report.nodes();
    }

    @Test
    void theEndpointShowsRolesAndPositions() {
        assertThat(nodes()).containsOnlyKeys("writer", "replica-1", "replica-2");
        NodeReport writer = nodes().get("writer");
        assertThat(writer.role()).isEqualTo("primary");
        assertThat(writer.position()).matches("[0-9A-F]+/[0-9A-F]+");
        assertThat(writer.timeline()).isEqualTo("1");
        NodeReport replica = nodes().get("replica-1");
        assertThat(replica.role()).isEqualTo("standby");
        assertThat(replica.lagBytes()).isZero();
        assertThat(replica.eligible()).isTrue();
        assertThat(replica.reason()).isNull();
        assertThat(replica.stalenessBound()).isNotNull();
        assertThat(replica.maxStaleness()).isEqualTo(Duration.ofSeconds(30));
        assertThat(writer.maxStaleness()).isNull();
    }

    @Test
    void aStoppedReplicaDegradesAndIsNotDown() {
        this.postgres.replica("replica-1").stop();
        await().atMost(DEADLINE).untilAsserted(() -> {
            NodeReport replica = nodes().get("replica-1");
            assertThat(replica.eligible()).isFalse();
            assertThat(replica.reason()).isEqualTo("probe-failed");
            assertThat(replica.message()).contains("refused");
            assertThat(replica.sqlState()).isEqualTo("08001");
        });
        assertThat(eligible("replica-1")).isZero();
        assertThat(eligible("replica-2")).isOne();
        Health health = this.freshnessHealthIndicator.health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsEntry("degraded", true);
        assertThat(((HealthIndicator) this.dbHealthContributor).health().getStatus())
                .isEqualTo(Status.UP);
    }

    private double eligible(String node) {
        return this.meters
                .get("freshness.replica.eligible")
                .tag("node", node)
                .gauge()
                .value();
    }

    @Test
    void decisionsAndProbesAreCounted() {
        double before = decisions("eventual", "replica", "contract-met");
        this.items.eventual(1);
        this.items.eventual(1);
        this.items.unmarked(1);
        assertThat(decisions("eventual", "replica", "contract-met") - before).isEqualTo(2);
        this.items.authoritative(1);
        assertThat(decisions("authoritative_now", "writer", "authoritative")).isPositive();
        this.items.readYourWrites(1);
        assertThat(decisions("read_your_writes", "writer_fallback", "floor-unknown"))
                .isPositive();
        for (PostgresNode replica : this.postgres.replicas()) {
            assertThat(this.meters
                            .get("freshness.probes")
                            .tag("node", replica.name())
                            .tag("outcome", "success")
                            .timer()
                            .count())
                    .isPositive();
        }
    }

    private double decisions(String mode, String outcome, String reason) {
        var counter = this.meters
                .find("freshness.decisions")
                .tags("database", "default", "mode", mode, "outcome", outcome, "reason", reason)
                .functionCounter();
        return counter == null ? 0 : counter.count();
    }
}
