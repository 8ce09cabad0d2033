/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Names the property at fault. Ahead of Boot's analyzer of bind failures, which would show the record instead. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InvalidFreshnessPropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidFreshnessPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidFreshnessPropertyException cause) {
        return new FailureAnalysis(
                "The property '" + cause.property() + "' " + cause.problem() + ".", cause.action(), rootFailure);
    }
}
