/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.test.ReplicatedPostgresTest;
import org.springframework.boot.test.context.SpringBootTest;

@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            ReplicatedApplication.WITHOUT_JPA,
            "spring.datasource.hikari.connection-init-sql=set synchronous_commit to off"
        })
class FieldCaseH06SynchronousOffTests extends FieldCaseH06 {

    FieldCaseH06SynchronousOffTests() {
        super("off");
    }
}
