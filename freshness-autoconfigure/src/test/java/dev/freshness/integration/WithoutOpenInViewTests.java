/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.ReplicatedPostgresTest;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** Without open-in-view each transaction has a context of its own anyway, and no further one is opened. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {OpenInView.STATISTICS, "spring.jpa.open-in-view=false"})
@Import(OpenInView.Application.class)
class WithoutOpenInViewTests extends OpenInView {

    @Test
    void noFurtherContextIsOpened() throws Exception {
        this.primary.execute("update shelf set name = 'new', note = 'new' where id = 1");
        String names = get(() -> {
            String stale = Objects.requireNonNull(this.shelves.eventual(1)).name();
            String current =
                    Objects.requireNonNull(this.shelves.authoritative(1)).name();
            this.shelves.rename(1, "renamed");
            return stale + " " + current;
        });
        assertThat(names).isEqualTo("old new");
        assertThat(statistics().getSessionOpenCount()).isEqualTo(3);
        assertThat(this.primary.query("select name || ' ' || note from shelf where id = 1"))
                .isEqualTo("renamed new");
    }
}
