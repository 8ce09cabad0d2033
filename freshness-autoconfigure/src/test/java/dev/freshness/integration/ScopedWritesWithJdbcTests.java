/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.test.ReplicatedPostgresTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
@Import(ScopedWrites.Application.class)
class ScopedWritesWithJdbcTests extends ScopedWrites {}
