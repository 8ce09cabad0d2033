/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.FreshnessMode;
import dev.freshness.actuate.ContractCounts;
import dev.freshness.actuate.FreshnessEndpoint;
import dev.freshness.actuate.RecentDecisions;
import dev.freshness.actuate.RolloutThresholds;
import dev.freshness.aop.ContractDefaults;
import dev.freshness.aop.FreshnessAdvisor;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.routing.Rollout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of {@code /actuator/freshness}. */
@AutoConfiguration(after = FreshnessDataSourceAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(FreshnessEndpoint.class)
@ConditionalOnBean(FreshnessDatabase.class)
public final class FreshnessEndpointAutoConfiguration {

    @Bean
    ContractCounts freshnessContractCounts() {
        return new ContractCounts();
    }

    @Bean
    RecentDecisions freshnessRecentDecisions(FreshnessProperties properties) {
        FreshnessProperties.Decisions decisions = properties.decisions();
        return new RecentDecisions(decisions.keep(), decisions.sample(), decisions.correlationKeys());
    }

    @Bean
    @ConditionalOnMissingBean
    FreshnessEndpoint freshnessEndpoint(
            ObjectProvider<FreshnessDatabase> databases,
            ContractDefaults defaults,
            FreshnessAdvisor advisor,
            RecentDecisions decisions,
            ContractCounts counts,
            Rollout rollout,
            FreshnessProperties properties) {
        return new FreshnessEndpoint(
                databases.orderedStream().toList(),
                defaults.contract(FreshnessMode.EVENTUAL, "endpoint"),
                advisor::contracts,
                decisions,
                counts,
                rollout,
                new RolloutThresholds(
                        properties.rollout().maxWriterShare(),
                        properties.rollout().maxRefusals()));
    }
}
