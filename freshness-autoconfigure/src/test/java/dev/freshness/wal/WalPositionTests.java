/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class WalPositionTests {

    private static final WalPosition POSITION = new WalPosition(7, 1, new Lsn(100));

    @Test
    void includesWhatLiesAtOrBelowInItsHistory() {
        assertThat(POSITION.includes(POSITION)).isTrue();
        assertThat(POSITION.includes(new WalPosition(7, 1, new Lsn(99)))).isTrue();
        assertThat(POSITION.includes(new WalPosition(7, 1, new Lsn(101)))).isFalse();
    }

    @Test
    void includesNothingOfAnotherHistory() {
        assertThat(POSITION.includes(new WalPosition(8, 1, new Lsn(1)))).isFalse();
        assertThat(POSITION.includes(new WalPosition(7, 2, new Lsn(1)))).isFalse();
    }

    @Test
    void refusesTimelineZero() {
        assertThatIllegalArgumentException().isThrownBy(() -> new WalPosition(7, 0, new Lsn(1)));
    }
}
