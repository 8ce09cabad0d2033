/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import java.util.Map;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A wrong value stops the boot with a message that names the property or method and says what is allowed. */
@ExtendWith(OutputCaptureExtension.class)
class WrongConfigurationTests {

    /** Nothing listens on port 1: every one of these must fail before anything connects. */
    private static final Map<String, Object> RIGHT = Map.of(
            "spring.datasource.url", "jdbc:postgresql://127.0.0.1:1/none",
            "spring.datasource.username", "user",
            "spring.datasource.password", "secret-of-the-writer",
            "freshness.replicas.replica-1.url", "jdbc:postgresql://127.0.0.1:1/none");

    private static final String WITHOUT_JPA = "--spring.autoconfigure.exclude="
            + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
            + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration,"
            + "org.springframework.boot.batch.autoconfigure.BatchAutoConfiguration,"
            + "org.springframework.boot.batch.jdbc.autoconfigure.BatchJdbcAutoConfiguration,"
            + "org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration,"
            + "org.springframework.boot.session.jdbc.autoconfigure.JdbcSessionAutoConfiguration";

    private static void run(Class<?> application, String... arguments) {
        new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties(RIGHT)
                .run(Stream.concat(Stream.of(WITHOUT_JPA), Stream.of(arguments)).toArray(String[]::new))
                .close();
    }

    @Test
    void aDeadReplicaAndADeadWriterDoNotStopTheBoot() {
        run(Application.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--freshness.on-unmet=maybe | freshness.on-unmet | REJECT",
                "--freshness.on-unmet=stale | freshness.on-unmet | WRITER",
                "--freshness.enforcement=sometimes | freshness.enforcement | ENFORCE",
                "--freshness.jpa.stale-context=keep | freshness.jpa.stale-context | CLEAR",
                "--freshness.max-staleness=-5s | 'freshness.max-staleness' must be more than zero | 30s",
                "--freshness.max-staleness=5 | 'freshness.max-staleness' must be at least freshness.monitor.interval, 100ms, was 5ms | a number without a unit is milliseconds",
                "--freshness.max-staleness=soon | freshness.max-staleness | not a valid duration",
                "--freshness.monitor.interval=0ms | 'freshness.monitor.interval' must be more than zero | 500ms",
                "--freshness.monitor.timeout=-1s | 'freshness.monitor.timeout' must be more than zero | 500ms",
                "--freshness.monitor.observation-ttl=1s | 'freshness.monitor.observation-ttl' must be at least | 1300ms",
                "--freshness.replicas.replica-2.username=me | 'freshness.replicas.replica-2.url' is missing | jdbc:",
                "--freshness.replicas.replica-2.url=postgresql://host/db?password=secret-of-the-writer | 'freshness.replicas.replica-2.url' is not a JDBC URL | jdbc:postgresql://",
                "--freshness.replicas.replica-2=jdbc:postgresql://host/db?password=secret-of-the-writer | 'freshness.replicas.replica-2' is a single value | freshness.replicas.replica-2.url",
                "--freshness.replicas.writer.url=jdbc:x | 'freshness.replicas.writer' is the name | replica-1",
                "--spring.datasource.url=jdbc:h2:mem:x | 'spring.datasource.url' is not a PostgreSQL URL | primary",
                "--spring.datasource.hikari.auto-commit=false | spring.datasource.hikari.auto-commit | Remove it",
                "--freshness.wrap=missing | 'freshness.wrap' is 'missing' | DataSource bean",
                "--freshness.token.carry-reads=true | 'freshness.token.carry-reads' is true, and freshness.web.token-transport includes cookie | header or http-session",
                "--freshness.token.keys.k1=secret-of-the-writer | 'freshness.token.keys.k1' has fewer than 32 bytes | openssl rand",
                "--freshness.token.keys.a.b=secret-of-the-writer-secret-of-the-writer | 'freshness.token.keys.a.b' is not a key id | 16 letters",
                "--freshness.token.signing-key=k2 | 'freshness.token.signing-key' is 'k2', and there is no such key | freshness.token.keys.k2",
                "--freshness.token.ttl=30s | 'freshness.token.ttl' must be more than freshness.token.clock-allowance | Raise it",
                "--freshness.rollout.percentage=101 | 'freshness.rollout.percentage' must be from 0 to 100, was 101 | hundred",
                "--freshness.rollout.percentage=-1 | 'freshness.rollout.percentage' must be from 0 to 100 | hundred",
                "--freshness.rollout.max-writer-share=1.1 | 'freshness.rollout.max-writer-share' must be from 0 to 1 | share",
                "--freshness.rollout.max-writer-share=NaN | 'freshness.rollout.max-writer-share' must be from 0 to 1 | share",
                "--freshness.rollout.max-refusals=-1 | 'freshness.rollout.max-refusals' must be at least 0 | number",
                "--freshness.decisions.keep=-1 | 'freshness.decisions.keep' must be from 0 to 10000, was -1 | 200",
                "--freshness.decisions.keep=10001 | 'freshness.decisions.keep' must be from 0 to 10000 | 200",
                "--freshness.decisions.sample=1.5 | 'freshness.decisions.sample' must be from 0 to 1, was 1.5 | every hundredth",
                "--freshness.decisions.sample=NaN | 'freshness.decisions.sample' must be from 0 to 1 | every hundredth",
                "--freshness.contracts.Shelf.read.mode=fresh | freshness.contracts.shelf.read.mode | AUTHORITATIVE_NOW",
                "--freshness.contracts.Shelf.read.max-staleness=0s | 'freshness.contracts.Shelf.read.max-staleness' must be more than zero | duration",
                "--freshness.contracts.Shelf.read.wait-budget=-1s | 'freshness.contracts.Shelf.read.wait-budget' must not be negative | duration",
                "--freshness.token.clock-allowance=-1s | 'freshness.token.clock-allowance' must | duration",
                "--freshness.web.token-transport=carrier-pigeon | freshness.web.token-transport | HTTP_SESSION",
                "--freshness.web.cookie.name=a name | 'freshness.web.cookie.name' is not a name for a cookie | letters",
                "--freshness.web.cookie.path=shop | 'freshness.web.cookie.path' is not a path for a cookie | begins with it",
                "--freshness.web.cookie.path=/; Domain=example.org | 'freshness.web.cookie.path' is not a path for a cookie | begins with it",
                "--freshness.web.cookie.domain=.example.org | 'freshness.web.cookie.domain' is not a domain for a cookie | example.org",
                "--freshness.web.cookie.same-site=Lax; Secure | 'freshness.web.cookie.same-site' is none of what browsers know | Strict, Lax or None"
            })
    void stopsTheBoot(String argument, String names, String allows, CapturedOutput output) {
        assertThatThrownBy(() -> run(Application.class, argument)).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(names.strip())
                .contains(allows.strip())
                .doesNotContain("secret-of-the-writer");
    }

    @Test
    void severalKeysNeedOneToSignWith(CapturedOutput output) {
        assertThatThrownBy(() -> run(
                        Application.class,
                        "--freshness.token.keys.k1=secret-of-the-writer-secret-of-the-writer",
                        "--freshness.token.keys.k2=secret-of-the-writer-secret-of-the-writer"))
                .isNotNull();
        assertThat(output)
                .contains("'freshness.token.signing-key' is missing, and there are several keys")
                .doesNotContain("secret-of-the-writer");
    }

    @Test
    void onlyTheApplicationsDataSourcesAreOfferedForWrapping(CapturedOutput output) {
        assertThatThrownBy(() -> run(OwnDataSource.class, "--freshness.wrap=missing"))
                .isNotNull();
        assertThat(output).contains("DataSource beans are: mine.").doesNotContain("freshnessReplicaPool");
    }

    @Test
    void withoutAnyDataSourceToWrapThePropertyIsToBeRemoved(CapturedOutput output) {
        assertThatThrownBy(() -> run(NoDataSource.class, "--freshness.wrap=missing"))
                .isNotNull();
        assertThat(output)
                .contains("The property 'freshness.wrap' is 'missing'")
                .contains("The application has no DataSource bean; remove freshness.wrap to route spring.datasource.");
    }

    @Test
    void aMisspeltNameIsSaidOnceAndDoesNotStopTheBoot(CapturedOutput output) {
        run(Application.class, "--freshness.max-stalness=5s", "--freshness.replicas.replica-1.ulr=jdbc:x");
        assertThat(output.toString().lines().filter(line -> line.contains("unknown")))
                .singleElement()
                .asString()
                .contains("WARN")
                .endsWith("freshness.max-stalness, freshness.replicas.replica-1.ulr");
    }

    @Test
    void aMissingWriterStopsTheBoot(CapturedOutput output) {
        assertThatThrownBy(() -> run(Application.class, "--spring.datasource.url="))
                .isNotNull();
        assertThat(output).contains("The property 'spring.datasource.url' is missing, but freshness.replicas is set");
    }

    @Test
    void aBadAnnotationStopsTheBoot(CapturedOutput output) {
        assertThatThrownBy(() -> run(BadAnnotation.class)).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(Service.class.getName() + ".read")
                .contains("maxStaleness \"a while\" is not a duration; write for example \"5s\"");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnDataSource {

        @Bean
        DataSource mine() {
            return new HikariDataSource();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class NoDataSource {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class BadAnnotation {

        @Bean
        Service service() {
            return new Service();
        }
    }

    static class Service {

        @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "a while")
        public void read() {}
    }
}
