/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.aop.ContractDefaults;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class RerunDefaultTests {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(FreshnessAutoConfiguration.class));

    @Test
    void methodsAreRunAgainUnlessAPropertySaysNo() {
        this.runner.run(
                context -> assertThat(context.getBean(ContractDefaults.class).rerunOnConflict())
                        .isTrue());
        this.runner
                .withPropertyValues("freshness.rerun-on-conflict=false")
                .run(context -> assertThat(
                                context.getBean(ContractDefaults.class).rerunOnConflict())
                        .isFalse());
    }
}
