/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.ReplicatedPostgresTest;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

@ReplicatedPostgresTest
@Import(Requests.class)
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {PersistenceBed.STATISTICS, "spring.jpa.open-in-view=false"})
class JoinedContextsWithoutOpenInViewTests extends JoinedContexts {

    @Autowired
    Requests requests;

    @LocalServerPort
    int port;

    @Override
    <T> T inRequest(Supplier<T> work) {
        return this.requests.get(this.port, work);
    }

    @Test
    void noContextIsOpenedThatTheApplicationDidNotAskFor() {
        inRequest(() -> {
            this.calls.eventual(() -> this.items.eventualWithoutTransaction(1));
            assertThat(this.statistics.getSessionOpenCount()).isZero();
            this.calls.eventualTransaction(() -> find(1));
            this.calls.authoritativeTransaction(() -> find(1));
            assertThat(this.statistics.getSessionOpenCount()).isEqualTo(2);
            this.calls.eventual(() -> find(1));
            assertThat(this.statistics.getSessionOpenCount()).isEqualTo(3);
            return null;
        });
    }
}
