/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.web.HeaderTransport;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.filter.OncePerRequestFilter;

/** A token counts only for whom it was issued to, as the application's own filter in the place of Spring Security's says. */
@ReplicatedPostgresTest
class TokensBoundToPrincipalsTests {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static Instance binding;

    private static Instance unbound;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        binding = Instance.with(
                postgres, WithUsers.class, "freshness.token.bind-to-principal=true", "freshness.max-staleness=5m");
        unbound = Instance.with(postgres, WithUsers.class, "freshness.max-staleness=5m");
    }

    @AfterAll
    static void stop() {
        binding.close();
        unbound.close();
    }

    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        postgres.primary().execute("update item set name = 'old'");
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(binding.database(), 2);
        ReplicationBed.awaitEligibleReplicas(unbound.database(), 2);
        postgres.replicas().forEach(PostgresNode::pauseReplay);
    }

    private static HttpResponse<String> send(
            Instance instance, String method, @Nullable String user, @Nullable String token)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + instance.port() + "/items/1"))
                .method(method, HttpRequest.BodyPublishers.ofString("new"));
        if (user != null) {
            request.header("X-User", user);
        }
        if (token != null) {
            request.header(HeaderTransport.HEADER, token);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String write(Instance instance, @Nullable String user) throws Exception {
        return send(instance, "PUT", user, null)
                .headers()
                .firstValue(HeaderTransport.HEADER)
                .orElseThrow();
    }

    private static String read(Instance instance, @Nullable String user, String token) throws Exception {
        return String.valueOf(
                WebClient.where(send(instance, "GET", user, token)).value());
    }

    @Test
    void onesOwnCounts() throws Exception {
        double valid = binding.tokens("valid");
        assertThat(read(binding, "alice", write(binding, "alice"))).isEqualTo("new");
        assertThat(binding.tokens("valid") - valid).isEqualTo(1);
    }

    @Test
    void thatOfAnotherUserIsRejectedAndChangesNothing() throws Exception {
        double rejected = binding.tokens("other-principal");
        double valid = binding.tokens("valid");
        String token = write(binding, "alice");
        assertThat(read(binding, "bob", token)).isEqualTo("old");
        assertThat(read(binding, null, token)).as("of nobody").isEqualTo("old");
        assertThat(read(unbound, "bob", token)).as("where none are bound").isEqualTo("old");
        assertThat(binding.tokens("other-principal") - rejected).isEqualTo(2);
        assertThat(binding.tokens("valid")).isEqualTo(valid);
    }

    @Test
    void oneThatIsBoundToNobodyCountsForEverybody() throws Exception {
        assertThat(read(binding, "bob", write(unbound, "alice"))).isEqualTo("new");
        assertThat(read(binding, "bob", write(binding, null)))
                .as("before the login")
                .isEqualTo("new");
        assertThat(read(binding, null, write(binding, null))).isEqualTo("new");
    }

    @Import(ItemRequests.class)
    static class WithUsers {

        @Bean
        FilterRegistrationBean<OncePerRequestFilter> users() {
            FilterRegistrationBean<OncePerRequestFilter> registration =
                    new FilterRegistrationBean<>(new OncePerRequestFilter() {
                        @Override
                        protected void doFilterInternal(
                                HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                                throws ServletException, IOException {
                            String user = request.getHeader("X-User");
                            chain.doFilter(user == null ? request : as(user, request), response);
                        }
                    });
            registration.setOrder(-100);
            return registration;
        }

        private static HttpServletRequest as(String user, HttpServletRequest request) {
            return new HttpServletRequestWrapper(request) {
                @Override
                public Principal getUserPrincipal() {
                    return () -> user;
                }
            };
        }
    }
}
