/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.ReplicatedPostgresTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class FieldCaseH01WithJdbcTests extends FieldCaseH01 {

    @Test
    void isTheManagerUnderTest(@Autowired PlatformTransactionManager manager) {
        assertThat(manager).isInstanceOf(JdbcTransactionManager.class);
    }
}
