/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * H07: quiet night, false alarm. Nobody writes for a minute, and replicas that have everything must not be called stale.
 * The second half guards against "fixing" that by never reporting lag.
 */
@ReplicatedPostgresTest
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {ReplicatedApplication.WITHOUT_JPA, "freshness.max-staleness=5s"})
class FieldCaseH07Tests extends ReplicationBed {

    @Autowired
    MeterRegistry meters;

    @Autowired
    HealthIndicator freshnessHealthIndicator;

    @Test
    void anIdleWriterMakesNoReplicaStale(CapturedOutput output) {
        FreshnessSession session = FreshnessSession.ofNewClient();
        try (ThreadScope request = ThreadScope.open(session)) {
            this.items.write(1, "new");
        }
        this.postgres.awaitCaughtUp();
        awaitEligibleReplicas(2);
        int logged = output.length();
        List<Double> lags = new ArrayList<>();

        await().during(Duration.ofSeconds(60))
                .atMost(Duration.ofSeconds(100))
                .pollInterval(Duration.ofMillis(250))
                .untilAsserted(() -> {
                    assertOnReplica(this.items.eventual(1));
                    try (ThreadScope request = ThreadScope.open(session)) {
                        assertOnReplica(this.items.readYourWrites(1));
                    }
                    for (PostgresNode replica : this.postgres.replicas()) {
                        lags.add(gauge("freshness.replica.lag.bytes", replica));
                        assertThat(gauge("freshness.replica.staleness", replica))
                                .isLessThan(2);
                    }
                    assertThat(this.freshnessHealthIndicator.health().getStatus())
                            .isEqualTo(Status.UP);
                });

        assertThat(lags.stream().filter(lag -> lag == 0).count()).isGreaterThanOrEqualTo(lags.size() * 95L / 100);

        PostgresNode paused = this.postgres.replica("replica-1");
        PostgresNode current = this.postgres.replica("replica-2");
        paused.pauseReplay();
        this.primary.execute("update item set name = 'newer' where id = 1");
        await().atMost(DEADLINE).until(() -> gauge("freshness.replica.staleness", paused) > 5);
        assertThat(gauge("freshness.replica.lag.bytes", paused)).isPositive();
        for (int i = 0; i < 20; i++) {
            assertThat(this.items.eventual(1).port()).isEqualTo(current.port());
        }
        assertThat(gauge("freshness.replica.staleness", current)).isLessThan(2);
        assertThat(output.subSequence(logged, output.length()).toString()).doesNotContainIgnoringCase("lag");
    }

    private double gauge(String name, PostgresNode node) {
        return this.meters
                .get(name)
                .tag("database", "default")
                .tag("node", node.name())
                .gauge()
                .value();
    }
}
