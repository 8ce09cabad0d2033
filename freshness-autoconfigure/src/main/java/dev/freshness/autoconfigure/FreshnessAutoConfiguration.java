/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.FreshnessOperations;
import dev.freshness.aop.AttemptTransactions;
import dev.freshness.aop.ContractBoundary;
import dev.freshness.aop.ContractDefaults;
import dev.freshness.aop.ContractOverrides;
import dev.freshness.aop.FreshnessAdvisor;
import dev.freshness.aop.ScopedFreshnessOperations;
import dev.freshness.handover.SessionTaskDecorator;
import dev.freshness.handover.SessionTokens;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.util.function.SingletonSupplier;

/** Auto-configuration of contracts: the annotation's advisor and its programmatic form. */
@AutoConfiguration
@EnableConfigurationProperties(FreshnessProperties.class)
public final class FreshnessAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ContractDefaults freshnessContractDefaults(FreshnessProperties properties) {
        return new ContractDefaults(
                properties.maxStaleness(),
                properties.waitBudget(),
                properties.onUnmet().policy(),
                properties.rerunOnConflict());
    }

    @Bean
    @ConditionalOnMissingBean
    FreshnessOperations freshnessOperations(
            ContractDefaults defaults,
            ObjectProvider<FreshnessDatabase> databases,
            ObjectProvider<ContractBoundary> boundary,
            ObjectProvider<SessionTokens> tokens) {
        return new ScopedFreshnessOperations(defaults, databases, once(boundary), tokens::getIfAvailable);
    }

    @Bean
    static UnknownPropertiesWarning freshnessUnknownPropertiesWarning(Environment environment) {
        return new UnknownPropertiesWarning(environment);
    }

    private static Supplier<ContractBoundary> once(ObjectProvider<ContractBoundary> boundary) {
        return SingletonSupplier.of(() -> boundary.getIfAvailable(() -> ContractBoundary.NONE));
    }

    /** Contracts on beans, and a word where nothing enforces them. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnEnforcement.class)
    @Import(ProxyCreatorRegistrar.class)
    static class EnforcementConfiguration {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static ContractOverrides freshnessContractOverrides(FreshnessProperties properties) {
            return new ContractOverrides(properties.contracts());
        }

        @Bean
        static UnusedOverridesWarning freshnessUnusedOverridesWarning(ContractOverrides overrides) {
            return new UnusedOverridesWarning(overrides);
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static FreshnessAdvisor freshnessAdvisor(
                ObjectProvider<ContractDefaults> defaults,
                ObjectProvider<ContractOverrides> overrides,
                ConfigurableBeanFactory beanFactory,
                ObjectProvider<ContractBoundary> boundary,
                ObjectProvider<TransactionAttributeSource> attributes) {
            return new FreshnessAdvisor(
                    defaults::getObject,
                    overrides::getObject,
                    new EmbeddedValueResolver(beanFactory),
                    once(boundary),
                    SingletonSupplier.of(() -> attributes.getIfAvailable(AnnotationTransactionAttributeSource::new)));
        }

        @Bean
        SessionTaskDecorator freshnessSessionTaskDecorator() {
            return new SessionTaskDecorator();
        }

        @Bean
        AttemptTransactions freshnessAttemptTransactions() {
            return new AttemptTransactions();
        }

        @Bean
        InertWarning freshnessInertWarning(
                ObjectProvider<FreshnessRoutingDataSource> routed, ObjectProvider<DataSource> dataSources) {
            return new InertWarning(routed, dataSources);
        }
    }

    /** Proxies are made even where neither transactions nor AOP auto-configuration ask for them. */
    static class ProxyCreatorRegistrar implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }
}
