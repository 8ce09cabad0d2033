/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheControlTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                            | private, no-cache",
                "public                        | private, no-cache",
                "Public, S-MaxAge=60           | private, no-cache",
                "proxy-revalidate              | private, no-cache",
                "max-age=60                    | private, max-age=60, no-cache",
                "public, max-age=60, immutable | private, max-age=60, immutable, no-cache",
                "public , max-age=60,, ,       | private, max-age=60, no-cache",
                "private                       | private, no-cache",
                "PRIVATE, max-age=60           | PRIVATE, max-age=60, no-cache",
                "private=\"Set-Cookie\"        | private, private=\"Set-Cookie\", no-cache",
                "no-cache                      | private, no-cache",
                "no-cache=\"a, b\"             | private, no-cache=\"a, b\", no-cache",
                "no-store                      | no-store",
                "public, no-store              | no-store",
                "No-Store, max-age=0           | No-Store, max-age=0",
                "must-revalidate, s-maxage=9   | private, must-revalidate, no-cache",
            })
    void isKeptOutOfSharedCaches(String before, String after) {
        String made = CacheControl.madePrivate(List.of(before));
        assertThat(made).isEqualTo(after);
        assertThat(CacheControl.madePrivate(List.of(made))).as("made so again").isEqualTo(made);
    }

    @Test
    void severalHeadersBecomeOne() {
        assertThat(CacheControl.madePrivate(List.of("public", "max-age=60", "max-age=60")))
                .isEqualTo("private, max-age=60, no-cache");
        assertThat(CacheControl.madePrivate(List.of())).isEqualTo("private, no-cache");
    }
}
