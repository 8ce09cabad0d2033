/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.ContractConflictException;
import dev.freshness.test.ReplicatedPostgresTest;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** {@code freshness.jpa.stale-context=fail}: nothing is cleared behind anybody's back. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {OpenInView.STATISTICS, "freshness.jpa.stale-context=fail"})
@Import(OpenInView.Application.class)
class StaleContextFailTests extends OpenInView {

    @Test
    void aContextThatWouldBeClearedIsRefused() throws Exception {
        get(() -> {
            assertThatThrownBy(() -> this.shelves.underEventual(() -> {
                        this.shelves.unmarked(1);
                        this.shelves.rename(1, "renamed");
                        return "";
                    }))
                    .isInstanceOf(ContractConflictException.class)
                    .hasMessageContaining("freshness.jpa.stale-context");
            return this.shelves.underEventual(() -> {
                this.shelves.rename(1, "renamed");
                return "";
            });
        });
    }
}
