/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.ReplicatedPostgresTest;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;

/** After one read, the write in the same web request goes to the writer. */
@ReplicatedPostgresTest
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = OpenInView.STATISTICS)
@Import(OpenInView.Application.class)
class FieldCaseH02Tests extends OpenInView {

    @Test
    void aReadAWriteAndAReadInOneRequestEachGoWhereTheyBelong(CapturedOutput output) throws Exception {
        String view = get(() -> {
            Shelf first = Objects.requireNonNull(this.shelves.eventual(1));
            this.shelves.create(2, "new");
            Shelf own = Objects.requireNonNull(this.shelves.readYourWrites(2));
            return first.books() + " " + own.name() + own.books();
        });
        assertThat(view).isEqualTo("[first] new[]");
        assertThat(this.shelves.inRecovery()).containsExactly(true, false, false);
        assertThat(output.getAll()).doesNotContain("25006");
    }

    @Test
    void theControlDoesNotSeeTheWrite() throws Exception {
        String view = get(() -> {
            this.shelves.create(2, "new");
            return String.valueOf(this.shelves.eventual(2));
        });
        assertThat(view).isEqualTo("null");
        assertThat(this.shelves.inRecovery()).containsExactly(false, true);
    }
}
