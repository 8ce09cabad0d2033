/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration.slices;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** What a service connection to one PostgreSQL container brings into a context: connection details, no properties. */
@TestConfiguration(proxyBeanMethods = false)
class OneContainer {

    @Bean(destroyMethod = "close")
    ReplicatedPostgres container() {
        return ReplicatedPostgres.start(0);
    }

    @Bean
    JdbcConnectionDetails connectionDetails(ReplicatedPostgres container) {
        PostgresNode node = container.primary();
        return new JdbcConnectionDetails() {
            @Override
            public String getUsername() {
                return node.username();
            }

            @Override
            public String getPassword() {
                return node.password();
            }

            @Override
            public String getJdbcUrl() {
                return node.jdbcUrl();
            }
        };
    }
}
