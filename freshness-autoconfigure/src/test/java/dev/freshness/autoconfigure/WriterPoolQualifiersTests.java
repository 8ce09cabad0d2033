/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseDataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.session.jdbc.config.annotation.SpringSessionDataSource;
import org.springframework.session.jdbc.config.annotation.web.http.EnableJdbcHttpSession;
import org.springframework.session.jdbc.config.annotation.web.http.JdbcHttpSessionConfiguration;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.transaction.support.TransactionTemplate;

/** Which qualifiers the writer's pool gets, and who comes first. No connection is opened: it is about wiring. */
class WriterPoolQualifiersTests {

    @Configuration(proxyBeanMethods = false)
    static class Pool {

        @Bean
        static WriterPoolQualifiers qualifiers(Environment environment) {
            return new WriterPoolQualifiers(environment);
        }

        @Bean(defaultCandidate = false)
        HikariDataSource freshnessWriterPool() {
            return new HikariDataSource();
        }

        @Bean
        HikariDataSource dataSource() {
            return new HikariDataSource();
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        TransactionOperations applicationsOwn(PlatformTransactionManager manager) {
            return new TransactionTemplate(manager);
        }
    }

    @EnableJdbcHttpSession
    @Configuration(proxyBeanMethods = false)
    @Import(Pool.class)
    static class WithSessions {}

    @Configuration(proxyBeanMethods = false)
    @Import(WithSessions.class)
    static class WithTransactionsOfItsOwnByName {

        @Bean(defaultCandidate = false)
        TransactionOperations springSessionTransactionOperations(PlatformTransactionManager manager) {
            return new TransactionTemplate(manager);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WithSessions.class)
    static class WithTransactionsOfItsOwnByQualifier {

        @Bean(defaultCandidate = false)
        @Qualifier("springSessionTransactionOperations")
        TransactionOperations forSessions(PlatformTransactionManager manager) {
            return new TransactionTemplate(manager);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WithSessions.class)
    static class WithPoolsOfItsOwn {

        @Bean(defaultCandidate = false)
        @SpringSessionDataSource
        @FlywayDataSource
        HikariDataSource books() {
            return new HikariDataSource();
        }
    }

    private static AnnotationConfigApplicationContext start(Class<?> application, String... properties) {
        MockEnvironment environment = new MockEnvironment();
        for (String property : properties) {
            environment.setProperty(property, "set");
        }
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.setEnvironment(environment);
        // The session repository would connect.
        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
        context.register(application);
        context.refresh();
        return context;
    }

    private static boolean poolHas(Class<?> qualifier, AnnotationConfigApplicationContext context) {
        ConfigurableListableBeanFactory factory = context.getBeanFactory();
        return ((AbstractBeanDefinition) factory.getBeanDefinition("freshnessWriterPool"))
                .hasQualifier(qualifier.getName());
    }

    /** What Spring Session works with, as it found it. */
    private static Object field(String name, AnnotationConfigApplicationContext context) {
        Object found = ReflectionTestUtils.getField(context.getBean(JdbcHttpSessionConfiguration.class), name);
        assertThat(found).isNotNull();
        return found;
    }

    @Test
    void aloneThePoolCarriesAllQualifiers() {
        try (AnnotationConfigApplicationContext context = start(WithSessions.class)) {
            assertThat(poolHas(FlywayDataSource.class, context)).isTrue();
            assertThat(poolHas(LiquibaseDataSource.class, context)).isTrue();
            assertThat(field("dataSource", context)).isSameAs(context.getBean("freshnessWriterPool"));
            assertThat(field("transactionOperations", context))
                    .isSameAs(context.getBean("springSessionTransactionOperations"));
        }
    }

    @Test
    void theApplicationsTransactionsStayTheOnlyCandidates() {
        try (AnnotationConfigApplicationContext context = start(WithSessions.class)) {
            assertThat(context.getBeanNamesForType(PlatformTransactionManager.class))
                    .containsExactly("transactionManager");
            assertThat(context.getBean(TransactionOperations.class)).isSameAs(context.getBean("applicationsOwn"));
        }
    }

    @Test
    void sessionTransactionsOfTheApplicationComeFirst() {
        try (AnnotationConfigApplicationContext context = start(WithTransactionsOfItsOwnByName.class)) {
            assertThat(field("transactionOperations", context))
                    .isSameAs(context.getBean("springSessionTransactionOperations"));
            assertThat(field("dataSource", context)).isSameAs(context.getBean("dataSource"));
        }
    }

    @Test
    void sessionTransactionsOfTheApplicationComeFirstUnderAnyName() {
        try (AnnotationConfigApplicationContext context = start(WithTransactionsOfItsOwnByQualifier.class)) {
            assertThat(field("transactionOperations", context)).isSameAs(context.getBean("forSessions"));
            assertThat(field("dataSource", context)).isSameAs(context.getBean("dataSource"));
        }
    }

    @Test
    void poolsOfTheApplicationComeFirst() {
        try (AnnotationConfigApplicationContext context = start(WithPoolsOfItsOwn.class)) {
            assertThat(poolHas(FlywayDataSource.class, context)).isFalse();
            assertThat(poolHas(LiquibaseDataSource.class, context)).isTrue();
            assertThat(field("dataSource", context)).isSameAs(context.getBean("books"));
            assertThat(context.containsBean("springSessionTransactionOperations"))
                    .isFalse();
        }
    }

    @Test
    void aUrlOrUserForMigrationsComesFirst() {
        try (AnnotationConfigApplicationContext context =
                start(Pool.class, "spring.flyway.url", "spring.liquibase.user")) {
            assertThat(poolHas(FlywayDataSource.class, context)).isFalse();
            assertThat(poolHas(LiquibaseDataSource.class, context)).isFalse();
        }
    }
}
