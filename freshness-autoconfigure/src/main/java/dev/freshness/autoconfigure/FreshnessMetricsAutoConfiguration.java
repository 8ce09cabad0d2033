/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.FreshnessMode;
import dev.freshness.actuate.FreshnessMeters;
import dev.freshness.actuate.ReadObservations;
import dev.freshness.aop.ContractDefaults;
import dev.freshness.jdbc.FreshnessDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/** Auto-configuration of the meters. They count nothing until a meter registry comes for them. */
@AutoConfiguration(after = FreshnessDataSourceAutoConfiguration.class)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(FreshnessDatabase.class)
public final class FreshnessMetricsAutoConfiguration {

    @Bean
    FreshnessMeters freshnessMeters(ObjectProvider<FreshnessDatabase> databases, ContractDefaults defaults) {
        return new FreshnessMeters(databases, defaults.contract(FreshnessMode.EVENTUAL, "metrics"));
    }

    @Bean
    ReadObservations freshnessReadObservations(ObjectProvider<ObservationRegistry> registry) {
        return new ReadObservations(
                SingletonSupplier.of(() -> registry.getIfAvailable(() -> ObservationRegistry.NOOP)));
    }
}
