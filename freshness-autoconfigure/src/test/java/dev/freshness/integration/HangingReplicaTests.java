/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;

/**
 * A replica whose every process stands still while its sockets stay open. The timeout is long, so that on any machine the
 * other replica can be probed several times before the hanging probe gives up.
 */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            ReplicatedApplication.WITHOUT_JPA,
            "freshness.monitor.timeout=5s",
            "freshness.monitor.observation-ttl=6s"
        })
class HangingReplicaTests extends ReplicationBed {

    private static final String HANGING = "replica-1";

    private static final String OTHER = "replica-2";

    @Test
    void doesNotDelayTheProbesOfAnother() {
        PostgresNode hanging = this.postgres.replica(HANGING);
        hanging.freeze();

        // Counts only while one and the same probe of the hanging replica is waiting for its answer.
        Set<Long> probesOfOther = new HashSet<>();
        await().atMost(DEADLINE).until(() -> {
            NodeObservation before = observation(HANGING);
            if (observation(OTHER) instanceof StandbyObservation other) {
                probesOfOther.add(other.sampledAt());
            }
            if (observation(HANGING) != before) {
                probesOfOther.clear();
            }
            return probesOfOther.size() >= 4;
        });
        assertThat(observation(HANGING)).isInstanceOf(StandbyObservation.class);

        await().atMost(DEADLINE).until(() -> !(observation(HANGING) instanceof StandbyObservation));
        for (int i = 0; i < 10; i++) {
            assertThat(this.items.eventual(1).port())
                    .isEqualTo(this.postgres.replica(OTHER).port());
        }
        hanging.unfreeze();
        awaitEligibleReplicas(2);
    }

    private @Nullable NodeObservation observation(String replica) {
        return this.database.state().replicas().stream()
                .filter(state -> state.name().equals(replica))
                .map(ReplicaState::observation)
                .findFirst()
                .orElse(null);
    }
}
