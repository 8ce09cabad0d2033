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
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

@ReplicatedPostgresTest
@SpringBootTest(classes = ReplicatedApplication.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
class ReadYourWritesWithJpaTests extends OwnWritesAreSeen {

    @Test
    void isTheManagerUnderTest(@Autowired PlatformTransactionManager manager) {
        assertThat(manager).isInstanceOf(JpaTransactionManager.class);
    }
}
