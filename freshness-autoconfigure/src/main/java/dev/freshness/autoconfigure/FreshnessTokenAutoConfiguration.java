/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.handover.SessionTokens;
import dev.freshness.handover.TokenListener;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.token.TokenCodec;
import dev.freshness.token.TokenKeys;
import dev.freshness.web.FreshnessTokenInterceptor;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.client.ClientHttpRequestInterceptor;

/** Auto-configuration of the tokens that carry sessions from one request or service to the next. */
@AutoConfiguration(after = FreshnessDataSourceAutoConfiguration.class)
@ConditionalOnBean(FreshnessDatabase.class)
public final class FreshnessTokenAutoConfiguration {

    static final String APPLICATION = "application";

    private static final Logger logger = LoggerFactory.getLogger(FreshnessTokenAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    TokenKeys freshnessTokenKeys(FreshnessProperties properties) {
        return properties.token().tokenKeys();
    }

    @Bean
    SessionTokens freshnessSessionTokens(
            FreshnessProperties properties,
            TokenKeys keys,
            Environment environment,
            ObjectProvider<FreshnessDatabase> databases,
            ObjectProvider<TokenListener> listeners) {
        FreshnessProperties.Token token = properties.token();
        TokenCodec codec = new TokenCodec(
                keys,
                token.audience() == null ? applicationName(environment) : token.audience(),
                token.ttl(),
                token.clockAllowance(),
                System::currentTimeMillis);
        List<TokenListener> told = listeners.orderedStream().toList();
        return new SessionTokens(
                databases,
                codec,
                token.ttl(),
                properties.waitBudget(),
                token.carryReads(),
                result -> told.forEach(listener -> listener.token(result)));
    }

    @Bean
    SmartInitializingSingleton freshnessRandomKeyWarning(TokenKeys keys, SessionTokens tokens) {
        return () -> {
            if (keys.isRandom() && tokens.areNeeded()) {
                logger.warn(
                        "freshness.token.keys is not set: freshness tokens are signed with a random key, so that other"
                                + " instances of this application, and this one after a restart, will not accept them");
            }
        };
    }

    /** Applied to no client by itself: not every service that an application calls is on its database. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClientHttpRequestInterceptor.class)
    static class OutgoingConfiguration {

        @Bean
        @ConditionalOnMissingBean
        FreshnessTokenInterceptor freshnessTokenInterceptor(SessionTokens tokens) {
            return new FreshnessTokenInterceptor(tokens);
        }
    }

    static String applicationName(Environment environment) {
        return environment.getProperty("spring.application.name", APPLICATION);
    }
}
