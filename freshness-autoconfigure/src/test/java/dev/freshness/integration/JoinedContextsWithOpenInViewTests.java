/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.test.ReplicatedPostgresTest;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;

@ReplicatedPostgresTest
@Import(Requests.class)
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = PersistenceBed.STATISTICS)
class JoinedContextsWithOpenInViewTests extends JoinedContexts {

    @Autowired
    Requests requests;

    @LocalServerPort
    int port;

    @Override
    <T> T inRequest(Supplier<T> work) {
        return this.requests.get(this.port, work);
    }
}
