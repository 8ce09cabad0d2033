/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.jdbc.FreshnessRoutingDataSource;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.util.StringUtils;

/**
 * Puts the routed data source in the place of the bean that {@code freshness.wrap} names, under its name, and keeps that
 * bean as the writer's pool under another. So whoever asks for the bean, by name or by type, takes part in the same
 * transactions.
 */
final class WrappedWriterRegistrar implements BeanDefinitionRegistryPostProcessor, Ordered {

    private final String wrapped;

    WrappedWriterRegistrar(String wrapped) {
        this.wrapped = wrapped;
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (!registry.containsBeanDefinition(this.wrapped)
                || registry instanceof ConfigurableListableBeanFactory factory
                        && !factory.isTypeMatch(this.wrapped, DataSource.class)) {
            String names = registry instanceof ConfigurableListableBeanFactory factory
                    ? Arrays.stream(factory.getBeanNamesForType(DataSource.class, true, false))
                            .filter(name -> !FreshnessDatabaseConfiguration.isPool(name))
                            .collect(Collectors.joining(", "))
                    : "";
            throw new InvalidFreshnessPropertyException(
                    "freshness.wrap",
                    "is '" + this.wrapped + "', which is not the name of a DataSource bean",
                    StringUtils.hasText(names)
                            ? "DataSource beans are: " + names + "."
                            : "The application has no DataSource bean; remove freshness.wrap to route spring.datasource.");
        }
        BeanDefinition writer = registry.getBeanDefinition(this.wrapped);
        registry.removeBeanDefinition(this.wrapped);
        RootBeanDefinition routed = new RootBeanDefinition(FreshnessRoutingDataSource.class);
        routed.setFactoryBeanName(FreshnessDatabaseConfiguration.DATABASE);
        routed.setFactoryMethodName("dataSource");
        routed.setPrimary(writer.isPrimary());
        routed.setDestroyMethodName("");
        registry.registerBeanDefinition(this.wrapped, routed);
        writer.setPrimary(false);
        if (writer instanceof AbstractBeanDefinition definition) {
            definition.setDefaultCandidate(false);
        }
        registry.registerBeanDefinition(FreshnessDatabaseConfiguration.WRITER_POOL, writer);
    }
}
