/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.InvalidFreshnessContractException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names the class and method whose annotation is at fault. */
final class InvalidFreshnessContractFailureAnalyzer extends AbstractFailureAnalyzer<InvalidFreshnessContractException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidFreshnessContractException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct the annotation's member that is named above.",
                rootFailure);
    }
}
