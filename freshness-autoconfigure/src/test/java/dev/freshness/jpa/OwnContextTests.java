/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnContextTests {

    private static final FreshnessContract EVENTUAL = new FreshnessContract(
            FreshnessMode.EVENTUAL, Duration.ofSeconds(30), Duration.ZERO, OnUnmet.WRITER, "a call");

    private static final FreshnessContract AUTHORITATIVE = new FreshnessContract(
            FreshnessMode.AUTHORITATIVE_NOW, Duration.ofSeconds(30), Duration.ZERO, OnUnmet.WRITER, "a call");

    @Test
    void aContractIsNotStricterThanItself() {
        assertThat(OwnContext.isStricter(EVENTUAL, EVENTUAL)).isFalse();
        assertThat(OwnContext.isStricter(AUTHORITATIVE, AUTHORITATIVE)).isFalse();
    }

    @Test
    void whatAsksForNewerRowsIsStricter() {
        assertThat(OwnContext.isStricter(AUTHORITATIVE, EVENTUAL)).isTrue();
        assertThat(OwnContext.isStricter(EVENTUAL.withMaxStaleness(Duration.ofSeconds(1)), EVENTUAL))
                .isTrue();
        assertThat(OwnContext.isStricter(EVENTUAL, EVENTUAL.withOnUnmet(OnUnmet.STALE)))
                .isTrue();
    }

    /** What it holds may have been loaded before the session read newer rows elsewhere. */
    @Test
    void monotonicReadsAreStricterThanOthers() {
        assertThat(OwnContext.isStricter(EVENTUAL.withMonotonic(true), EVENTUAL))
                .isTrue();
        assertThat(OwnContext.isStricter(EVENTUAL.withMonotonic(true), EVENTUAL.withMonotonic(true)))
                .isFalse();
    }
}
