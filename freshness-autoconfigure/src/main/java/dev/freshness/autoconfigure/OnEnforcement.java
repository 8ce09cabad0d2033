/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where contracts are enforced or observed. A value that is not one stops the boot here, before anything connects. */
final class OnEnforcement implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return Binder.get(context.getEnvironment())
                        .bind("freshness.enforcement", FreshnessProperties.Enforcement.class)
                        .orElse(FreshnessProperties.Enforcement.ENFORCE)
                != FreshnessProperties.Enforcement.OFF;
    }
}
