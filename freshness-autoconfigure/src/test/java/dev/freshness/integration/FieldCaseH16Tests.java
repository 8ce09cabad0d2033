/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import liquibase.integration.spring.SpringLiquibase;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Migrations never see a replica: they run on the writer's own pool. */
@ReplicatedPostgresTest
class FieldCaseH16Tests {

    private static final String[] FLYWAY = {
        "--spring.flyway.enabled=true",
        "--spring.flyway.locations=classpath:db/h16/flyway",
        "--spring.flyway.default-schema=h16",
        "--" + ReplicatedApplication.WITHOUT_JPA
    };

    private static final String[] LIQUIBASE = {
        "--spring.liquibase.enabled=true",
        "--spring.liquibase.change-log=classpath:db/h16/changelog.sql",
        "--" + ReplicatedApplication.WITHOUT_JPA
    };

    @BeforeEach
    void nothingMigratedAndReplicasStandStill(ReplicatedPostgres postgres) {
        postgres.primary().execute("drop table if exists h16_liquibase, databasechangelog, databasechangeloglock");
        postgres.primary().execute("drop schema if exists h16 cascade");
        postgres.awaitCaughtUp();
        postgres.replicas().forEach(PostgresNode::pauseReplay);
    }

    @AfterEach
    void replicasGoOn(ReplicatedPostgres postgres) {
        postgres.replicas().forEach(PostgresNode::resumeReplay);
    }

    private static ConfigurableApplicationContext boot(
            Class<?> application, ReplicatedPostgres postgres, String... arguments) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(new HashMap<>(postgres.properties()))
                .run(arguments);
    }

    private static void assertNoReplicaWasAsked(ConfigurableApplicationContext context, ReplicatedPostgres postgres) {
        Borrows borrows = context.getBean(Borrows.class);
        assertThat(borrows.of("writer")).isPositive();
        for (PostgresNode replica : postgres.replicas()) {
            assertThat(borrows.of(replica.name())).as(replica.name()).isZero();
        }
    }

    @Test
    void flywayMigratesOnceOnTheWritersPool(ReplicatedPostgres postgres) {
        for (int boot = 0; boot < 2; boot++) {
            try (ConfigurableApplicationContext context = boot(ReplicatedApplication.class, postgres, FLYWAY)) {
                assertThat(context.getBean(Flyway.class).getConfiguration().getDataSource())
                        .isSameAs(context.getBean("freshnessWriterPool"));
                assertNoReplicaWasAsked(context, postgres);
            }
            assertThat(
                            postgres.primary()
                                    .query(
                                            "select count(*) from h16.flyway_schema_history where success and version is not null"))
                    .isEqualTo("2");
            assertThat(postgres.primary().query("select count(*) from h16.h16_flyway"))
                    .isEqualTo("1");
        }
    }

    @Test
    void liquibaseMigratesOnceOnTheWritersPool(ReplicatedPostgres postgres) {
        for (int boot = 0; boot < 2; boot++) {
            try (ConfigurableApplicationContext context = boot(ReplicatedApplication.class, postgres, LIQUIBASE)) {
                assertThat(context.getBean(SpringLiquibase.class).getDataSource())
                        .isSameAs(context.getBean("freshnessWriterPool"));
                assertNoReplicaWasAsked(context, postgres);
            }
            assertThat(postgres.primary().query("select count(*) from databasechangelog"))
                    .isEqualTo("2");
            assertThat(postgres.primary().query("select count(*) from h16_liquibase"))
                    .isEqualTo("1");
        }
    }

    @Test
    void aWrappedDataSourceMigratesAsTheWritersPool(ReplicatedPostgres postgres) {
        try (ConfigurableApplicationContext context = boot(
                Wrapped.class,
                postgres,
                Stream.concat(Stream.of(FLYWAY), Stream.of("--freshness.wrap=own"))
                        .toArray(String[]::new))) {
            assertThat(context.getBean(Flyway.class).getConfiguration().getDataSource())
                    .isInstanceOf(HikariDataSource.class)
                    .isSameAs(context.getBean("freshnessWriterPool"));
        }
        assertThat(postgres.primary().query("select count(*) from h16.h16_flyway"))
                .isEqualTo("1");
    }

    /** What the application says of its migrations comes first. */
    @Test
    void aUrlForMigrationsIsRespected(ReplicatedPostgres postgres) {
        Map<String, String> properties = new HashMap<>(postgres.properties());
        String[] arguments = Stream.concat(
                        Stream.of(FLYWAY),
                        Stream.of(
                                "--spring.flyway.url=" + properties.get("spring.datasource.url"),
                                "--spring.flyway.user=" + properties.get("spring.datasource.username"),
                                "--spring.flyway.password=" + properties.get("spring.datasource.password")))
                .toArray(String[]::new);
        try (ConfigurableApplicationContext context = boot(ReplicatedApplication.class, postgres, arguments)) {
            assertThat(context.getBean(Flyway.class).getConfiguration().getDataSource())
                    .isNotInstanceOf(HikariDataSource.class);
        }
        assertThat(postgres.primary().query("select count(*) from h16.h16_flyway"))
                .isEqualTo("1");
    }

    /** A bean that the application names for its migrations comes first as well. */
    @Test
    void aDataSourceForMigrationsIsRespected(ReplicatedPostgres postgres) {
        try (ConfigurableApplicationContext context = boot(WithMigrationPool.class, postgres, FLYWAY)) {
            assertThat(context.getBean(Flyway.class).getConfiguration().getDataSource())
                    .isSameAs(context.getBean("migrationPool"));
        }
        assertThat(postgres.primary().query("select count(*) from h16.h16_flyway"))
                .isEqualTo("1");
    }

    /** Has no pool of its own to run on, only the routed data source. */
    @Test
    void sqlInitRunsOnTheWriter(ReplicatedPostgres postgres) {
        postgres.primary().execute("drop table if exists by_sql_init");
        try (ConfigurableApplicationContext context = boot(
                ReplicatedApplication.class,
                postgres,
                "--spring.sql.init.mode=always",
                "--spring.sql.init.schema-locations=classpath:db/infrastructure.sql",
                "--" + ReplicatedApplication.WITHOUT_JPA)) {
            assertNoReplicaWasAsked(context, postgres);
        }
        assertThat(postgres.primary().query("select count(*) from by_sql_init")).isEqualTo("0");
    }

    /** An application with a pool of its own for migrations. */
    @Configuration(proxyBeanMethods = false)
    @Import(ReplicatedApplication.class)
    static class WithMigrationPool {

        @Bean(defaultCandidate = false)
        @FlywayDataSource
        HikariDataSource migrationPool(Environment environment) {
            return pool(environment);
        }
    }

    /** An application with a DataSource bean of its own. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Wrapped {

        @Bean
        DataSource own(Environment environment) {
            return pool(environment);
        }
    }

    private static HikariDataSource pool(Environment environment) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(environment.getRequiredProperty("spring.datasource.url"));
        pool.setUsername(environment.getRequiredProperty("spring.datasource.username"));
        pool.setPassword(environment.getRequiredProperty("spring.datasource.password"));
        return pool;
    }
}
