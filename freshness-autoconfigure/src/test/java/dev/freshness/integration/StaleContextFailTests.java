/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.ContractConflictException;
import dev.freshness.test.ReplicatedPostgresTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

/** Whoever wants to hear of it rather than have contexts cleared. */
@ReplicatedPostgresTest
@Import(Requests.class)
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {PersistenceBed.STATISTICS, "freshness.jpa.stale-context=fail"})
class StaleContextFailTests extends PersistenceBed {

    @Autowired
    Requests requests;

    @LocalServerPort
    int port;

    @Test
    void aWriteWithinAnEventualCallThatHasLoadedSomethingIsRefused() {
        this.requests.get(
                this.port,
                () -> this.calls.eventual(() -> {
                    Author loaded = find(1);
                    assertThatThrownBy(() -> rename(2, "changed"))
                            .isInstanceOf(ContractConflictException.class)
                            .hasMessageContaining("Calls.eventual")
                            .hasMessageContaining("freshness.jpa.stale-context is 'fail'");
                    assertThat(this.entityManager.contains(loaded)).isTrue();
                    return null;
                }));
        assertThat(inDatabase(2, "name")).isEqualTo("second");
    }

    @Test
    void aStricterCallInATransactionOnAReplicaThatHasLoadedSomethingIsRefused() {
        assertThatThrownBy(() -> this.requests.get(
                        this.port,
                        () -> this.calls.eventualTransaction(() -> {
                            find(1);
                            return this.calls.readYourWritesTransaction(() -> find(1));
                        })))
                .isInstanceOf(ContractConflictException.class)
                .hasMessageContaining("Calls.readYourWritesTransaction")
                .hasMessageContaining("Calls.eventualTransaction")
                .hasMessageContaining("freshness.jpa.stale-context is 'fail'");
    }

    @Test
    void anEmptyContextIsNoReasonToRefuse() {
        this.requests.get(
                this.port,
                () -> this.calls.eventual(() -> {
                    assertThat(isInRecovery()).isTrue();
                    rename(2, "changed");
                    return null;
                }));
        assertThat(inDatabase(2, "name")).isEqualTo("changed");
    }
}
