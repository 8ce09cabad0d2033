/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration of the routed data source. It takes the place of Boot's own where Boot would make a HikariCP pool to
 * PostgreSQL, and stays out of the way of an application's own DataSource unless {@code freshness.wrap} names it.
 */
@AutoConfiguration(after = FreshnessAutoConfiguration.class, before = DataSourceAutoConfiguration.class)
@ConditionalOnClass({HikariDataSource.class, org.postgresql.core.BaseConnection.class})
@Conditional(OnEnforcement.class)
@EnableConfigurationProperties(DataSourceProperties.class)
public final class FreshnessDataSourceAutoConfiguration {

    /** The writer by {@code spring.datasource}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean({DataSource.class, XADataSource.class})
    @Conditional(OnRoutedDataSource.class)
    @Import(FreshnessDatabaseConfiguration.class)
    static class RoutedConfiguration {

        @Bean(name = FreshnessDatabaseConfiguration.WRITER_POOL, defaultCandidate = false)
        HikariDataSource freshnessWriterPool(
                DataSourceProperties properties,
                ObjectProvider<JdbcConnectionDetails> detailsProvider,
                Environment environment) {
            JdbcConnectionDetails details = detailsProvider.getIfAvailable();
            DataSourceBuilder<HikariDataSource> builder =
                    DataSourceBuilder.create(properties.getClassLoader()).type(HikariDataSource.class);
            if (!environment.containsProperty("spring.datasource.hikari.data-source-class-name")) {
                builder.driverClassName(
                        details == null ? properties.determineDriverClassName() : details.getDriverClassName());
            }
            HikariDataSource pool = builder.url(details == null ? properties.determineUrl() : details.getJdbcUrl())
                    .username(details == null ? properties.determineUsername() : details.getUsername())
                    .password(details == null ? properties.determinePassword() : details.getPassword())
                    .build();
            pool.setPoolName(
                    StringUtils.hasText(properties.getName())
                            ? properties.getName()
                            : FreshnessDatabaseConfiguration.WRITER);
            // Bound here and not by an annotation, which would list HikariCP's properties as the starter's own.
            Binder.get(environment).bind("spring.datasource.hikari", Bindable.ofInstance(pool));
            ReplicaPoolFactory.keepConnectionsAfterRefusals(pool);
            return pool;
        }

        @Bean
        @Primary
        FreshnessRoutingDataSource dataSource(FreshnessDatabase database) {
            return database.dataSource();
        }
    }

    /** An application's own DataSource bean as the writer. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnWrappedDataSource.class)
    @Import(FreshnessDatabaseConfiguration.class)
    static class WrappedConfiguration {

        @Bean
        static WrappedWriterRegistrar freshnessWrappedWriterRegistrar(Environment environment) {
            return new WrappedWriterRegistrar(environment.getRequiredProperty("freshness.wrap"));
        }
    }
}
