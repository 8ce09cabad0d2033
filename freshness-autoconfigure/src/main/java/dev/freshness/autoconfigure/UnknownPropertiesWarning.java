/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Names once, when the application has started, the properties under {@code freshness} that mean nothing: a misspelt one
 * would leave a default in force without a word. Never stops the boot, and never shows a value.
 *
 * <p>What it does when it cannot know: nothing. Environment variables hold no dashes, so it cannot be told for sure which
 * property one of them means; they are left out, and so are sources that do not list their properties.
 */
final class UnknownPropertiesWarning implements SmartInitializingSingleton {

    private static final Logger logger = LoggerFactory.getLogger(UnknownPropertiesWarning.class);

    private static final ConfigurationPropertyName REPLICAS = ConfigurationPropertyName.of("freshness.replicas");

    private final Environment environment;

    UnknownPropertiesWarning(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<String> unknown = unknown(this.environment);
        if (!unknown.isEmpty()) {
            logger.warn("These properties are unknown and mean nothing: {}", String.join(", ", unknown));
        }
    }

    /** The names that the properties' own binding leaves over, in alphabetical order. */
    static Set<String> unknown(Environment environment) {
        try {
            Binder.get(environment)
                    .bind(
                            "freshness",
                            Bindable.of(FreshnessProperties.class),
                            new NoUnboundElementsBindHandler(
                                    BindHandler.DEFAULT, UnknownPropertiesWarning::saysItsNames));
        } catch (BindException ex) {
            if (ex.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                return names(unbound);
            }
            logger.debug("It is not known which properties are unknown", ex);
        }
        return Set.of();
    }

    private static boolean saysItsNames(ConfigurationPropertySource source) {
        return !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource);
    }

    private static Set<String> names(UnboundConfigurationPropertiesException unbound) {
        return unbound.getUnboundProperties().stream()
                .map(property -> property.getName())
                .filter(name -> !isOfHikari(name))
                .map(ConfigurationPropertyName::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** HikariCP's own, which are bound to a replica's pool. */
    private static boolean isOfHikari(ConfigurationPropertyName name) {
        int hikari = REPLICAS.getNumberOfElements() + 1;
        return REPLICAS.isAncestorOf(name)
                && name.getNumberOfElements() > hikari
                && name.getElement(hikari, ConfigurationPropertyName.Form.UNIFORM)
                        .equals("hikari");
    }
}
