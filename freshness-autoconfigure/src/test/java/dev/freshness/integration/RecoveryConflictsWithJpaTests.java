/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.ReplicaConflictException;
import dev.freshness.test.ReplicatedPostgresTest;
import jakarta.persistence.EntityManager;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

@ReplicatedPostgresTest(replicas = 1, serverSettings = ConflictBed.SETTING)
@Import({Requests.class, Reports.class, SecondRunsWithJpaTests.Authors.class})
@SpringBootTest(classes = ReplicatedApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class RecoveryConflictsWithJpaTests extends RecoveryConflicts {

    @Autowired
    EntityManager entityManager;

    private long count(String query) {
        return ((Number) this.entityManager.createNativeQuery(query).getSingleResult()).longValue();
    }

    @Test
    void soByHibernate() {
        CompletableFuture<Void> strike = cancelNextLongRead(Kind.SNAPSHOT);
        assertThatThrownBy(() -> this.calls.eventualTransaction(() -> count(LONG_READ)))
                .isInstanceOf(ReplicaConflictException.class);
        strike.join();
        assertCounted(1, 0);
        assertReplicaStaysInRotation();
    }

    @Test
    void soByHibernateOnADeadConnection() {
        assertThatThrownBy(() -> this.calls.eventualTransaction(() -> {
                    int backend = (int) count("select pg_backend_pid() from item");
                    endIdle(backend, Kind.LOCK);
                    return count("select count(*) from item");
                }))
                .isInstanceOf(ReplicaConflictException.class);
        assertCounted(0, 1);
        assertReplicaStaysInRotation();
    }
}
