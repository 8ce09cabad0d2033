/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Applications that use the starter without a contract, without replicas, or with a DataSource of their own. */
@ReplicatedPostgresTest
@ExtendWith(OutputCaptureExtension.class)
class QuietStartTests {

    private static final String KEY = "--freshness.token.keys.k1=0123456789abcdef0123456789abcdef";

    private final MonitorThreads threads = new MonitorThreads();

    private static final String POOL_CHECKER = "is not eligible for getting processed by all BeanPostProcessors";

    private static ConfigurableApplicationContext run(
            Class<?> application, Map<String, String> properties, String... arguments) {
        // Where another test's context is still open, logging would keep that one's pattern.
        LoggingSystem.get(QuietStartTests.class.getClassLoader()).cleanUp();
        Map<String, Object> all = new HashMap<>(properties);
        all.put("logging.pattern.console", "%level|%logger|%msg%n");
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(all)
                .run(arguments);
    }

    private static Map<String, String> withoutReplicas(ReplicatedPostgres postgres) {
        Map<String, String> properties = new HashMap<>(postgres.properties());
        properties.keySet().removeIf(name -> name.startsWith("freshness.replicas"));
        return properties;
    }

    /** What the starter itself logged, as level, logger and message. */
    private static List<String> ours(CapturedOutput output) {
        return output.toString()
                .lines()
                .filter(line -> line.matches("(INFO|WARN|ERROR)\\|dev\\.freshness\\..*"))
                .filter(line -> !line.matches("\\w+\\|dev\\.freshness\\.(integration|test)\\..*"))
                .toList();
    }

    private static String answer(ConfigurableApplicationContext context) {
        return context.getBean(JdbcClient.class)
                .sql("select 'works'")
                .query(String.class)
                .single();
    }

    @Test
    void withoutAnyContractTheStarterWorksAndLogsAtMostOneLine(ReplicatedPostgres postgres, CapturedOutput output) {
        try (ConfigurableApplicationContext context = run(Plain.class, postgres.properties(), KEY)) {
            assertThat(context.getBean(DataSource.class)).isInstanceOf(FreshnessRoutingDataSource.class);
            assertThat(answer(context)).isEqualTo("works");
        }
        assertThat(ours(output))
                .singleElement()
                .asString()
                .endsWith("with writer and the configured replicas replica-1, replica-2");
        assertThat(output.toString().lines().filter(line -> line.contains(POOL_CHECKER)))
                .noneMatch(line -> line.contains("freshness"));
    }

    @Test
    void withoutAKeyForTokensOneWarningSaysWhatThatMeans(ReplicatedPostgres postgres, CapturedOutput output) {
        run(Plain.class, postgres.properties()).close();
        assertThat(ours(output))
                .filteredOn(line -> line.startsWith("WARN|"))
                .singleElement()
                .asString()
                .contains("freshness.token.keys is not set");
    }

    @Test
    void withoutReplicasNothingIsMonitored(ReplicatedPostgres postgres, CapturedOutput output) {
        try (ConfigurableApplicationContext context = run(Plain.class, withoutReplicas(postgres))) {
            assertThat(answer(context)).isEqualTo("works");
            assertThat(this.threads.since()).isEmpty();
        }
        assertThat(ours(output)).singleElement().asString().startsWith("INFO|").contains("No replicas are configured");
    }

    @Test
    void switchedOffItLeavesTheDataSourceAlone(ReplicatedPostgres postgres, CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                run(Plain.class, postgres.properties(), "--freshness.enforcement=off")) {
            assertThat(context.getBean(DataSource.class)).isInstanceOf(HikariDataSource.class);
            assertThat(answer(context)).isEqualTo("works");
        }
        assertThat(ours(output)).isEmpty();
    }

    @Test
    void switchedOffItSaysNothingOfMissingReplicas(ReplicatedPostgres postgres, CapturedOutput output) {
        run(Plain.class, withoutReplicas(postgres), "--freshness.enforcement=off")
                .close();
        assertThat(ours(output)).isEmpty();
    }

    @Test
    void anOwnDataSourceIsLeftAloneAndOneWarningSaysHowToRouteIt(ReplicatedPostgres postgres, CapturedOutput output) {
        try (ConfigurableApplicationContext context = run(OwnDataSource.class, postgres.properties())) {
            assertThat(context.getBean(DataSource.class)).isInstanceOf(HikariDataSource.class);
            assertThat(answer(context)).isEqualTo("works");
        }
        assertThat(ours(output))
                .singleElement()
                .asString()
                .startsWith("WARN|")
                .contains("freshness.wrap")
                .contains("freshness.enforcement=off");
    }

    /** Its routes exist only while the application says so, and nobody does while the context starts. */
    @Test
    void anOwnRoutingDataSourceDoesNotStopTheBoot(ReplicatedPostgres postgres, CapturedOutput output) {
        run(OwnRouting.class, withoutReplicas(postgres)).close();
        assertThat(ours(output)).singleElement().asString().startsWith("WARN|");
    }

    @Test
    void aWrappedDataSourceIsRoutedUnderItsOwnName(ReplicatedPostgres postgres, CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                run(OwnDataSource.class, postgres.properties(), "--freshness.wrap=mine", KEY)) {
            assertThat(context.getBean(DataSource.class)).isInstanceOf(FreshnessRoutingDataSource.class);
            assertThat(context.getBean("mine")).isInstanceOf(FreshnessRoutingDataSource.class);
            assertThat(answer(context)).isEqualTo("works");
        }
        assertThat(ours(output)).singleElement().asString().contains("are enforced with writer");
    }

    @Test
    void nothingIsLeftAfterTheContextIsClosed(ReplicatedPostgres postgres) {
        try (ConfigurableApplicationContext context = run(Plain.class, postgres.properties())) {
            assertThat(this.threads.since()).hasSize(3);
        }
        await().atMost(ReplicationBed.DEADLINE).until(() -> this.threads.since().isEmpty());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
    static class OwnRouting {

        @Bean
        DataSource mine() {
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected @Nullable Object determineCurrentLookupKey() {
                    return null;
                }
            };
            routing.setTargetDataSources(Map.of());
            return routing;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnDataSource {

        @Bean
        DataSource mine(org.springframework.core.env.Environment environment) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(environment.getRequiredProperty("spring.datasource.url"));
            pool.setUsername(environment.getRequiredProperty("spring.datasource.username"));
            pool.setPassword(environment.getRequiredProperty("spring.datasource.password"));
            return pool;
        }
    }
}
