/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Registers a pool bean for each replica, so that Boot's pool metrics find them. None is a candidate for injection. */
final class ReplicaPoolRegistrar implements ImportBeanDefinitionRegistrar {

    static final String PREFIX = "freshnessReplicaPool-";

    private final Environment environment;

    ReplicaPoolRegistrar(Environment environment) {
        this.environment = environment;
    }

    static String beanName(String replica) {
        return PREFIX + replica;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        FreshnessProperties properties =
                Binder.get(this.environment).bindOrCreate("freshness", FreshnessProperties.class);
        for (String name : properties.replicas().keySet()) {
            RootBeanDefinition pool = new RootBeanDefinition(HikariDataSource.class);
            pool.setFactoryBeanName("freshnessReplicaPoolFactory");
            pool.setFactoryMethodName("create");
            pool.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
            pool.setDefaultCandidate(false);
            registry.registerBeanDefinition(beanName(name), pool);
        }
    }
}
