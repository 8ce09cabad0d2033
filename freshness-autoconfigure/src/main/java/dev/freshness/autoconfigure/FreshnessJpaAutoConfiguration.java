/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.jpa.PersistenceContexts;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.Session;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.orm.jpa.EntityManagerHolder;

/** Auto-configuration of persistence contexts under contracts. */
@AutoConfiguration(after = FreshnessAutoConfiguration.class)
@ConditionalOnClass({EntityManagerFactory.class, EntityManagerHolder.class, Session.class})
@Conditional(OnEnforcement.class)
public final class FreshnessJpaAutoConfiguration {

    @Bean
    PersistenceContexts freshnessPersistenceContexts(FreshnessProperties properties) {
        return new PersistenceContexts(properties.jpa().staleContext());
    }
}
