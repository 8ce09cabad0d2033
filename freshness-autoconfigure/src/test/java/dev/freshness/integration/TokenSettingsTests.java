/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.web.FreshnessTokenTransport;
import dev.freshness.web.HeaderTransport;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Where tokens are kept is up to the application, and nothing that fails there breaks a request. */
@ReplicatedPostgresTest
@ExtendWith(OutputCaptureExtension.class)
class TokenSettingsTests {

    private static List<String> cookies(HttpResponse<String> response) {
        return response.headers().allValues("Set-Cookie").stream()
                .map(cookie -> cookie.substring(0, cookie.indexOf('=')))
                .toList();
    }

    /** An empty property is written as a placeholder: the bed leaves out empty ones. */
    @ParameterizedTest
    @CsvSource({
        "header, true, ''",
        "cookie, false, freshness-my-shop",
        "'header,cookie', true, freshness-my-shop",
        "http-session, false, JSESSIONID",
        "'${nothing:}', false, ''",
    })
    void clientsKeepThemWhereThePropertySays(
            String property, boolean inHeader, String cookie, ReplicatedPostgres postgres) {
        try (Instance instance =
                Instance.on(postgres, "freshness.web.token-transport=" + property, "spring.application.name=my shop")) {
            HttpResponse<String> response = WebClient.forgetful().put(instance, "/items/1", "new");
            assertThat(response.headers().allValues(HeaderTransport.HEADER)).hasSize(inHeader ? 1 : 0);
            assertThat(cookies(response)).isEqualTo(cookie.isEmpty() ? List.of() : List.of(cookie));
            HttpResponse<String> read = WebClient.withCookieJar().get(instance, "/items/1");
            assertThat(read.headers().allValues(HeaderTransport.HEADER)).isEmpty();
            assertThat(cookies(read)).as("no HTTP session either").isEmpty();
        }
    }

    @Test
    void theCookieIsWhatThePropertiesSay(ReplicatedPostgres postgres) {
        try (Instance instance = Instance.on(
                postgres,
                "freshness.web.cookie.name=mine",
                "freshness.web.cookie.path=/items",
                "freshness.web.cookie.domain=example.org",
                "freshness.web.cookie.same-site=Strict")) {
            HttpResponse<String> response = WebClient.forgetful().put(instance, "/items/1", "new");
            assertThat(response.headers().allValues("Set-Cookie"))
                    .singleElement()
                    .asString()
                    .startsWith("mine=")
                    .contains("Path=/items", "Domain=example.org", "SameSite=Strict", "HttpOnly", "Max-Age=600");
        }
    }

    @Test
    void aTransportOfTheApplicationTakesThePlaceOfOurs(ReplicatedPostgres postgres) {
        try (Instance instance = Instance.with(postgres, OwnTransport.class)) {
            HttpResponse<String> response = WebClient.forgetful().put(instance, "/items/1", "new");
            assertThat(response.headers().allValues("X-Own")).hasSize(1);
            assertThat(response.headers().allValues(HeaderTransport.HEADER)).isEmpty();
            assertThat(cookies(response)).isEmpty();
        }
    }

    @Test
    void aTransportThatCannotWriteBreaksNothing(ReplicatedPostgres postgres, CapturedOutput output) {
        try (Instance instance = Instance.with(postgres, FailsToWrite.class)) {
            double tooLate = instance.tokens("too-late");
            for (int i = 0; i < 3; i++) {
                assertThat(WebClient.forgetful()
                                .put(instance, "/items/1", "new")
                                .statusCode())
                        .isEqualTo(204);
                assertThat(WebClient.forgetful()
                                .put(instance, "/items/1/and-fail", "new")
                                .statusCode())
                        .isEqualTo(500);
            }
            HttpResponse<String> response = WebClient.forgetful().post(instance, "/items/1", "new");
            assertThat(response.headers().allValues(HeaderTransport.HEADER))
                    .as("by the other transport")
                    .hasSize(1);
            assertThat(instance.tokens("too-late")).isEqualTo(tooLate);
        }
        assertThat(output.toString().lines().filter(line -> line.contains("could not be put on a response")))
                .singleElement()
                .asString()
                .contains(IllegalStateException.class.getName(), "FailsToWrite");
        assertThat(output).doesNotContain("a text that may be a token");
    }

    @Test
    void whatCannotBeReadIsUnknownAndBreaksNothing(ReplicatedPostgres postgres, CapturedOutput output) {
        try (Instance instance = Instance.with(postgres, FailsToRead.class)) {
            postgres.replicas().forEach(PostgresNode::pauseReplay);
            postgres.primary().execute("update item set name = 'new'");
            for (int i = 0; i < 3; i++) {
                Where where = WebClient.forgetful().read(instance, "/items/1");
                assertThat(where.value()).isEqualTo("new");
                assertThat(where.inRecovery()).as("ran on a standby").isFalse();
            }
        }
        assertThat(output.toString().lines().filter(line -> line.contains("could not be read")))
                .hasSize(1);
        assertThat(output).doesNotContain("a text that may be a token");
    }

    @Test
    void whatComesTooLateIsSaidOnce(ReplicatedPostgres postgres, CapturedOutput output) {
        try (Instance instance = Instance.with(postgres, ResponseRequests.class)) {
            for (int i = 1; i <= 3; i++) {
                WebClient.forgetful().get(instance, "/responses/flush-then-write?name=secret-name");
            }
            assertThat(instance.tokens("too-late")).isEqualTo(3);
        }
        assertThat(output.toString().lines().filter(line -> line.contains("after its response had been committed")))
                .singleElement()
                .asString()
                .contains("GET /responses/flush-then-write ")
                .doesNotContain("secret-name");
    }

    @Import(ItemRequests.class)
    static class OwnTransport {

        @Bean
        FreshnessTokenTransport ownTransport() {
            return new FreshnessTokenTransport() {
                @Override
                public List<String> read(HttpServletRequest request) {
                    return List.of();
                }

                @Override
                public void write(
                        HttpServletRequest request, HttpServletResponse response, String token, Duration life) {
                    response.setHeader("X-Own", token);
                }
            };
        }
    }

    @Import(ItemRequests.class)
    static class FailsToWrite {

        @Bean
        FreshnessTokenTransport failing() {
            return new FreshnessTokenTransport() {
                @Override
                public List<String> read(HttpServletRequest request) {
                    return List.of();
                }

                @Override
                public void write(
                        HttpServletRequest request, HttpServletResponse response, String token, Duration life) {
                    throw new IllegalStateException("a text that may be a token");
                }
            };
        }

        @Bean
        FreshnessTokenTransport working() {
            return new HeaderTransport();
        }
    }

    @Import(ItemRequests.class)
    static class FailsToRead {

        @Bean
        FreshnessTokenTransport failing() {
            return new FreshnessTokenTransport() {
                @Override
                public List<String> read(HttpServletRequest request) {
                    throw new IllegalStateException("a text that may be a token");
                }

                @Override
                public void write(
                        HttpServletRequest request, HttpServletResponse response, String token, Duration life) {}
            };
        }
    }
}
