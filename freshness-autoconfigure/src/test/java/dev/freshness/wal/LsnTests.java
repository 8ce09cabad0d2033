/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LsnTests {

    @ParameterizedTest
    @CsvSource({
        "0/0, 0",
        "16/B374D848, 97500059720",
        "16/b374d848, 97500059720",
        "0/01737658, 24344152",
        "FFFFFFFF/FFFFFFFF, -1",
        "80000000/0, -9223372036854775808"
    })
    void parsesBothCasesAndLeadingZeros(String text, long value) {
        assertThat(Lsn.parse(text)).isEqualTo(new Lsn(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "0",
                "0/",
                "/0",
                "0/0/0",
                " 0/0",
                "0/0 ",
                "0x1/0",
                "+1/0",
                "-1/0",
                "1/-1",
                "G/0",
                "0/g",
                "123456789/0",
                "0/123456789",
                "0 /0",
                "1/１",
                "0/0\n",
                "1_0/0"
            })
    void refusesEverythingElse(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lsn.parse(text))
                .withMessageContaining("Not an LSN: " + text.length() + " characters");
    }

    @Test
    void refusesNull() {
        assertThatIllegalArgumentException().isThrownBy(() -> Lsn.parse(null));
    }

    @Test
    void keepsContentOutOfMessages() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Lsn.parse("secret"))
                .withMessageNotContaining("secret");
    }

    @Test
    void textFormParsesToTheSamePosition() {
        Random random = new Random(7);
        random.longs(10_000).mapToObj(Lsn::new).forEach(lsn -> {
            assertThat(Lsn.parse(lsn.toString())).isEqualTo(lsn);
            assertThat(lsn.toString()).matches("(0|[1-9A-F][0-9A-F]{0,7})/(0|[1-9A-F][0-9A-F]{0,7})");
        });
    }

    @ParameterizedTest
    @CsvSource({"F/FFFFFFFF, 10/0", "9/FFFFFFFF, A/0", "1/FF, 1/100", "7FFFFFFF/FFFFFFFF, 80000000/0"})
    void comparesAsUnsignedNumbers(String lower, String higher) {
        Lsn low = Lsn.parse(lower);
        Lsn high = Lsn.parse(higher);
        assertThat(low.isAtOrPast(high)).isFalse();
        assertThat(high.isAtOrPast(low)).isTrue();
        assertThat(low.isAtOrPast(low)).isTrue();
        assertThat(low).isLessThan(high);
    }

    @Test
    void distanceIsZeroBehindAndBoundedAhead() {
        assertThat(new Lsn(100).bytesPast(new Lsn(40))).isEqualTo(60);
        assertThat(new Lsn(40).bytesPast(new Lsn(100))).isZero();
        assertThat(new Lsn(-1).bytesPast(Lsn.ZERO)).isEqualTo(Long.MAX_VALUE);
    }
}
