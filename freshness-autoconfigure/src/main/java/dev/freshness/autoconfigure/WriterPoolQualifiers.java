/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.util.ClassUtils;

/**
 * Hands the writer's pool to what keeps its own books in the database: Flyway, Liquibase and Spring Session JDBC take a
 * DataSource with a qualifier of theirs before any other. On the pool, a migration's history and locks do not depend on
 * routing, and the commits of an HTTP session raise no client's floor.
 *
 * <p>What an application says itself comes first: another bean with the qualifier, and for a migration a URL, user or
 * connection details of its own, which the qualifier would beat. Spring Session commits on its own, so it gets the pool
 * together with transactions on that pool or not at all.
 *
 * <p>What it does when it cannot know: nothing. Without the qualifier all three use the routed data source, where work
 * without a contract runs on the writer.
 *
 * <p>Names of classes and not the classes, since none of the three need be there. Runs after everybody else has
 * registered bean definitions. Owns no threads and no connections.
 */
final class WriterPoolQualifiers implements BeanDefinitionRegistryPostProcessor {

    static final String SESSION_TRANSACTIONS = "springSessionTransactionOperations";

    private static final String SESSION = "org.springframework.session.jdbc.config.annotation.SpringSessionDataSource";

    private static final List<MigrationTool> MIGRATION_TOOLS = List.of(
            new MigrationTool("spring.flyway", "org.springframework.boot.flyway.autoconfigure.Flyway"),
            new MigrationTool("spring.liquibase", "org.springframework.boot.liquibase.autoconfigure.Liquibase"));

    private final Environment environment;

    WriterPoolQualifiers(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (registry instanceof ConfigurableListableBeanFactory factory
                && registry.getBeanDefinition(FreshnessDatabaseConfiguration.WRITER_POOL)
                        instanceof AbstractBeanDefinition pool) {
            for (MigrationTool tool : MIGRATION_TOOLS) {
                if (isFree(tool.qualifier(), factory) && !connectsByItself(tool, factory)) {
                    pool.addQualifier(new AutowireCandidateQualifier(tool.qualifier()));
                }
            }
            if (isFree(SESSION, factory) && !hasSessionTransactions(factory)) {
                pool.addQualifier(new AutowireCandidateQualifier(SESSION));
                registry.registerBeanDefinition(SESSION_TRANSACTIONS, sessionTransactions());
            }
        }
    }

    /** Whether a qualifier exists and is on no bean, the pool included: a wrapped one may bring it along. */
    private static boolean isFree(String qualifier, ConfigurableListableBeanFactory factory) {
        Class<?> type = find(qualifier, factory);
        if (type == null) {
            return false;
        }
        Class<? extends Annotation> annotation = type.asSubclass(Annotation.class);
        for (String name : factory.getBeanNamesForType(DataSource.class, true, false)) {
            if (factory.findAnnotationOnBean(name, annotation, false) != null
                    || factory.containsBeanDefinition(name)
                            && factory.getBeanDefinition(name) instanceof AbstractBeanDefinition definition
                            && definition.hasQualifier(qualifier)) {
                return false;
            }
        }
        return true;
    }

    /** Whether Spring Session would find transactions: it asks by the qualifier, which a bean's name answers as well. */
    private static boolean hasSessionTransactions(ConfigurableListableBeanFactory factory) {
        if (factory.containsBean(SESSION_TRANSACTIONS)) {
            return true;
        }
        for (String name : factory.getBeanNamesForType(TransactionOperations.class, true, false)) {
            Qualifier qualifier = factory.findAnnotationOnBean(name, Qualifier.class, false);
            if (qualifier != null && qualifier.value().equals(SESSION_TRANSACTIONS)) {
                return true;
            }
        }
        return false;
    }

    private boolean connectsByItself(MigrationTool tool, ConfigurableListableBeanFactory factory) {
        if (this.environment.containsProperty(tool.properties() + ".url")
                || this.environment.containsProperty(tool.properties() + ".user")) {
            return true;
        }
        Class<?> details = find(tool.connectionDetails(), factory);
        if (details == null) {
            return false;
        }
        for (String name : factory.getBeanNamesForType(details, true, false)) {
            Class<?> type = factory.getType(name, false);
            // Boot's own, which only repeat the properties.
            if (type == null || !type.getSimpleName().equals("Properties" + details.getSimpleName())) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Class<?> find(String className, ConfigurableListableBeanFactory factory) {
        ClassLoader loader =
                Objects.requireNonNullElseGet(factory.getBeanClassLoader(), WriterPoolQualifiers.class::getClassLoader);
        return ClassUtils.isPresent(className, loader) ? ClassUtils.resolveClassName(className, loader) : null;
    }

    /** No candidate for anybody who does not ask for it by name: Boot's and the application's own stay the only ones. */
    private static BeanDefinition sessionTransactions() {
        RootBeanDefinition definition = new RootBeanDefinition(SessionTransactions.class);
        definition.setFactoryMethodName("on");
        definition.setTargetType(TransactionOperations.class);
        definition
                .getConstructorArgumentValues()
                .addIndexedArgumentValue(
                        0, new RuntimeBeanReference(FreshnessDatabaseConfiguration.WRITER_POOL, DataSource.class));
        definition.setDefaultCandidate(false);
        return definition;
    }

    /**
     * A migration tool that Boot configures.
     *
     * @param properties the prefix of its properties
     * @param prefix what the names of Boot's classes for it begin with
     */
    private record MigrationTool(String properties, String prefix) {

        String qualifier() {
            return this.prefix + "DataSource";
        }

        String connectionDetails() {
            return this.prefix + "ConnectionDetails";
        }
    }
}
