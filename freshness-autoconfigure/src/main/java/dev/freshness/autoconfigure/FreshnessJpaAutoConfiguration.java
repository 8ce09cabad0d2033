/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.jpa.PersistenceContexts;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.util.function.SingletonSupplier;

/** Auto-configuration of persistence contexts under contracts. */
@AutoConfiguration(
        after = FreshnessDataSourceAutoConfiguration.class,
        afterName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnClass({EntityManagerFactory.class, EntityManagerHolder.class})
@Conditional(OnEnforcement.class)
@ConditionalOnBean({EntityManagerFactory.class, FreshnessDatabase.class})
public final class FreshnessJpaAutoConfiguration {

    @Bean
    PersistenceContexts freshnessPersistenceContexts(
            FreshnessProperties properties, ObjectProvider<TransactionAttributeSource> attributes) {
        return new PersistenceContexts(
                properties.jpa().staleContext(),
                SingletonSupplier.of(() -> attributes.getIfAvailable(AnnotationTransactionAttributeSource::new)));
    }
}
