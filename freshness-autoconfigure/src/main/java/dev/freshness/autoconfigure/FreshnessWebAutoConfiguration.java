/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.web.FreshnessSessionFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/** Auto-configuration of sessions for web requests. */
@AutoConfiguration(after = FreshnessAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Servlet.class, OncePerRequestFilter.class})
@Conditional(OnEnforcement.class)
public final class FreshnessWebAutoConfiguration {

    /** Ahead of security, whose user look-ups belong to the request, too. */
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    @Bean
    FilterRegistrationBean<FreshnessSessionFilter> freshnessSessionFilter(FreshnessProperties properties) {
        FilterRegistrationBean<FreshnessSessionFilter> registration = new FilterRegistrationBean<>(
                new FreshnessSessionFilter(properties.web().verdictHeader()));
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
        registration.setOrder(ORDER);
        return registration;
    }
}
