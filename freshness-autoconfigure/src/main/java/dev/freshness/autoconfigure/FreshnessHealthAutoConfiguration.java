/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.FreshnessMode;
import dev.freshness.actuate.FreshnessHealthIndicator;
import dev.freshness.aop.ContractDefaults;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.token.TokenKeys;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.jdbc.autoconfigure.health.DataSourceHealthContributorAutoConfiguration;
import org.springframework.boot.jdbc.health.DataSourceHealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of health: the {@code freshness} component, and a {@code db} component that leaves the replicas to
 * it. Boot's own would connect to every pool and be DOWN with any replica.
 */
@AutoConfiguration(
        after = {FreshnessDataSourceAutoConfiguration.class, FreshnessTokenAutoConfiguration.class},
        before = DataSourceHealthContributorAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(FreshnessDatabase.class)
public final class FreshnessHealthAutoConfiguration {

    @Bean
    @ConditionalOnEnabledHealthIndicator("freshness")
    @ConditionalOnMissingBean(name = {"freshnessHealthIndicator", "freshnessHealthContributor"})
    FreshnessHealthIndicator freshnessHealthIndicator(
            ObjectProvider<FreshnessDatabase> databases, ContractDefaults defaults, ObjectProvider<TokenKeys> keys) {
        return new FreshnessHealthIndicator(
                databases.orderedStream().toList(),
                defaults.contract(FreshnessMode.EVENTUAL, "health"),
                keys.getIfAvailable());
    }

    @Bean
    @ConditionalOnEnabledHealthIndicator("db")
    @ConditionalOnMissingBean(name = {"dbHealthIndicator", "dbHealthContributor"})
    HealthContributor dbHealthContributor(ConfigurableListableBeanFactory beanFactory) {
        Map<String, DataSource> dataSources = new LinkedHashMap<>(
                SimpleAutowireCandidateResolver.resolveAutowireCandidates(beanFactory, DataSource.class, false, true));
        dataSources.keySet().removeIf(FreshnessDatabaseConfiguration::isPool);
        return dataSources.size() == 1
                ? new DataSourceHealthIndicator(dataSources.values().iterator().next())
                : CompositeHealthContributor.fromMap(dataSources, DataSourceHealthIndicator::new);
    }
}
