/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A user's application without any code that knows of replicas. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ReplicatedApplication {

    /** Takes the place of the list in application.properties, so it repeats it. */
    static final String WITHOUT_JPA = "spring.autoconfigure.exclude="
            + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration,"
            + "org.springframework.boot.batch.autoconfigure.BatchAutoConfiguration,"
            + "org.springframework.boot.batch.jdbc.autoconfigure.BatchJdbcAutoConfiguration,"
            + "org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration,"
            + "org.springframework.boot.session.jdbc.autoconfigure.JdbcSessionAutoConfiguration";

    @Bean
    static Borrows borrows() {
        return new Borrows();
    }

    @Bean
    Items items(JdbcClient jdbc) {
        return new Items(jdbc);
    }

    @Bean
    Calls calls() {
        return new Calls();
    }
}
