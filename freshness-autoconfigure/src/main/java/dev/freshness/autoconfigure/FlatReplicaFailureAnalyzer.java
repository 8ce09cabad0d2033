/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.convert.ConverterNotFoundException;

/**
 * Says where a replica's URL belongs if it is written as the value of the replica itself. Comes before Boot's analyzer,
 * which would speak of a missing converter. Never shows the value, which may hold a password.
 */
final class FlatReplicaFailureAnalyzer extends AbstractFailureAnalyzer<BindException> implements Ordered {

    private static final ConfigurationPropertyName REPLICAS = ConfigurationPropertyName.of("freshness.replicas");

    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        if (!(cause.getCause() instanceof ConverterNotFoundException) || !REPLICAS.isParentOf(cause.getName())) {
            return null;
        }
        return new FailureAnalysis(
                "The property '" + cause.getName() + "' is a single value, but a replica has properties of its own.",
                "Write " + cause.getName() + ".url for the JDBC URL of the standby.",
                rootFailure);
    }
}
