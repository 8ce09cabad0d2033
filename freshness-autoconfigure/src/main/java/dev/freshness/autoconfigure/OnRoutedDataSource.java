/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * Matches where Boot would make a HikariCP pool to PostgreSQL: then the starter makes the writer's pool instead. Replicas
 * without such a writer are a mistake that stops the boot.
 */
final class OnRoutedDataSource extends SpringBootCondition implements ConfigurationCondition {

    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("FreshnessDataSource");
        Environment environment = context.getEnvironment();
        if (StringUtils.hasText(environment.getProperty("freshness.wrap"))) {
            return ConditionOutcome.noMatch(message.because("freshness.wrap is set"));
        }
        String type = environment.getProperty("spring.datasource.type");
        if (type != null && !type.equals(HIKARI)) {
            return ConditionOutcome.noMatch(message.because("spring.datasource.type is " + type));
        }
        if (StringUtils.hasText(environment.getProperty("spring.datasource.jndi-name"))) {
            return ConditionOutcome.noMatch(message.because("spring.datasource.jndi-name is set"));
        }
        if (context.getBeanFactory() != null
                && context.getBeanFactory().getBeanNamesForType(JdbcConnectionDetails.class, true, false).length > 0) {
            return ConditionOutcome.match(message.foundExactly("connection details"));
        }
        return byUrl(message, environment);
    }

    private static ConditionOutcome byUrl(ConditionMessage.Builder message, Environment environment) {
        @Nullable String url = environment.getProperty("spring.datasource.url");
        if (url == null) {
            url = environment.getProperty("spring.datasource.hikari.jdbc-url");
        }
        if (url != null && url.contains(":postgresql:")) {
            return ConditionOutcome.match(message.foundExactly("a PostgreSQL URL"));
        }
        if (Binder.get(environment)
                .bind("freshness.replicas", Bindable.mapOf(String.class, Object.class))
                .isBound()) {
            throw new InvalidFreshnessPropertyException(
                    "spring.datasource.url",
                    StringUtils.hasText(url)
                            ? "is not a PostgreSQL URL, but freshness.replicas is set"
                            : "is missing, but freshness.replicas is set",
                    "Set it to the JDBC URL of the primary, for example jdbc:postgresql://host:5432/database.");
        }
        return ConditionOutcome.noMatch(message.because("there is no PostgreSQL URL"));
    }
}
