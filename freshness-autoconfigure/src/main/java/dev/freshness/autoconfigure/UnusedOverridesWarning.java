/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.aop.ContractOverrides;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Says once, at start, which properties change the contract of no method, most likely for a typing error. */
final class UnusedOverridesWarning implements SmartInitializingSingleton {

    private static final Logger logger = LoggerFactory.getLogger(UnusedOverridesWarning.class);

    private final ContractOverrides overrides;

    UnusedOverridesWarning(ContractOverrides overrides) {
        this.overrides = overrides;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<String> unused = this.overrides.unused();
        if (!unused.isEmpty()) {
            logger.warn(
                    "No bean has a method with @Freshness that these properties name: {}. Write"
                            + " freshness.contracts.<class>.<method>.mode and so on; lazy beans are seen later",
                    String.join(", ", unused));
        }
    }
}
