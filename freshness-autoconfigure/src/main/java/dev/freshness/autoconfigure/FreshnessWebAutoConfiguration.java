/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.handover.SessionTokens;
import dev.freshness.web.CookieTransport;
import dev.freshness.web.FreshnessForwardFilter;
import dev.freshness.web.FreshnessProblemDetails;
import dev.freshness.web.FreshnessSessionFilter;
import dev.freshness.web.FreshnessTokenTransport;
import dev.freshness.web.HeaderTransport;
import dev.freshness.web.HttpSessionTransport;
import dev.freshness.web.RequestTokens;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.web.filter.OncePerRequestFilter;

/** Auto-configuration of sessions for web requests. */
@AutoConfiguration(after = {FreshnessAutoConfiguration.class, FreshnessTokenAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Servlet.class, OncePerRequestFilter.class})
@Conditional(OnEnforcement.class)
public final class FreshnessWebAutoConfiguration {

    /** Ahead of security, whose user look-ups belong to the request, too. */
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    /** Behind Spring Security's default place, -100: before it nobody knows whose token it is. */
    private static final int ORDER_WITH_PRINCIPAL = -90;

    @Bean
    FilterRegistrationBean<FreshnessSessionFilter> freshnessSessionFilter(
            FreshnessProperties properties,
            ObjectProvider<SessionTokens> tokens,
            ObjectProvider<FreshnessTokenTransport> transports,
            Environment environment) {
        FilterRegistrationBean<FreshnessSessionFilter> registration =
                new FilterRegistrationBean<>(new FreshnessSessionFilter(
                        properties.web().verdictHeader(),
                        requestTokens(properties, tokens.getIfAvailable(), transports, environment)));
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
        registration.setOrder(properties.token().bindToPrincipal() ? ORDER_WITH_PRINCIPAL : ORDER);
        return registration;
    }

    @Bean
    FilterRegistrationBean<FreshnessForwardFilter> freshnessForwardFilter() {
        FilterRegistrationBean<FreshnessForwardFilter> registration =
                new FilterRegistrationBean<>(new FreshnessForwardFilter());
        registration.setDispatcherTypes(DispatcherType.FORWARD);
        registration.setOrder(ORDER);
        return registration;
    }

    /** Problem details for clients whose reads were refused. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.web.servlet.DispatcherServlet")
    @ConditionalOnBooleanProperty(name = "freshness.web.problem-details", matchIfMissing = true)
    static class ProblemConfiguration {

        @Bean
        @ConditionalOnMissingBean
        FreshnessProblemDetails freshnessProblemDetails() {
            return new FreshnessProblemDetails();
        }
    }

    private static @Nullable RequestTokens requestTokens(
            FreshnessProperties properties,
            @Nullable SessionTokens tokens,
            ObjectProvider<FreshnessTokenTransport> own,
            Environment environment) {
        List<FreshnessTokenTransport> transports = own.orderedStream().toList();
        if (transports.isEmpty()) {
            transports = properties.web().tokenTransport().stream()
                    .sorted()
                    .map(transport -> transport(transport, properties.web().cookie(), environment))
                    .toList();
        }
        return tokens == null || transports.isEmpty()
                ? null
                : new RequestTokens(tokens, transports, properties.token().bindToPrincipal());
    }

    private static FreshnessTokenTransport transport(
            FreshnessProperties.TokenTransport transport,
            FreshnessProperties.TokenCookie cookie,
            Environment environment) {
        return switch (transport) {
            case HEADER -> new HeaderTransport();
            case COOKIE ->
                new CookieTransport(
                        cookie.name() == null ? cookieName(environment) : cookie.name(),
                        cookie.path(),
                        cookie.domain(),
                        cookie.sameSite());
            case HTTP_SESSION -> new HttpSessionTransport();
        };
    }

    private static String cookieName(Environment environment) {
        return "freshness-"
                + FreshnessTokenAutoConfiguration.applicationName(environment).replaceAll("[^A-Za-z0-9_.-]", "-");
    }
}
