/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WalLayoutTests {

    /** Measured: 0/495A018 on a primary whose standby stands at 0/495A000; 0/6000028 after a segment switch. */
    @ParameterizedTest
    @CsvSource({
        "0/495A018, 0/495A000",
        "0/6000028, 0/6000000",
        "0/6000018, 0/6000000",
        "0/495A050, 0/495A050",
        "0/495A028, 0/495A028",
        "0/495A000, 0/495A000",
        "80000000/2018, 80000000/2000"
    })
    void takesOffThePageHeaderThatNoRecordFollowsYet(String insert, String reachable) {
        assertThat(WalLayout.DEFAULT.normalise(Lsn.parse(insert))).isEqualTo(Lsn.parse(reachable));
    }

    @Test
    void followsOtherSizes() {
        WalLayout layout = new WalLayout(1024 * 1024, 16384);
        assertThat(layout.normalise(new Lsn(8192 + 24))).isEqualTo(new Lsn(8192 + 24));
        assertThat(layout.normalise(new Lsn(16384 + 24))).isEqualTo(new Lsn(16384));
        assertThat(layout.normalise(new Lsn(1024 * 1024 + 40))).isEqualTo(new Lsn(1024 * 1024));
    }

    @ParameterizedTest
    @CsvSource({"0, 8192", "16777216, 0", "16777215, 8192", "8192, 8192"})
    void refusesSizesThatNoServerHas(long segment, int block) {
        assertThatIllegalArgumentException().isThrownBy(() -> new WalLayout(segment, block));
    }
}
