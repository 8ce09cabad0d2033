/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeRowTests {

    private static NodeObservation primary(
            @Nullable String insert, @Nullable String timeline, String delay, String segment) {
        return new ProbeRow(false, 7, 1, insert, "0/5000", timeline, null, null, 0, delay, segment, "8192")
                .toObservation(42);
    }

    private static NodeObservation standby(@Nullable String timeline, @Nullable String replay) {
        return new ProbeRow(true, 7, 1, null, null, timeline, replay, null, 1, "200ms", "16MB", "8192")
                .toObservation(42);
    }

    @Test
    void readsAPrimary() {
        assertThat(primary("0/6018", "0000000A", "200ms", "16MB"))
                .isEqualTo(new PrimaryObservation(
                        42,
                        new ServerIdentity(7, 1),
                        10,
                        Lsn.parse("0/6000"),
                        Lsn.parse("0/5000"),
                        Duration.ofMillis(200).toNanos()));
    }

    @ParameterizedTest
    @CsvSource({"200ms, 200", "1s, 1000", "10, 10", "1min, 60000"})
    void readsDelaysInEveryUnit(String text, long millis) {
        PrimaryObservation primary = (PrimaryObservation) primary("0/6000", "00000001", text, "16MB");
        assertThat(primary.walWriterDelayNanos())
                .isEqualTo(Duration.ofMillis(millis).toNanos());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1MB", "64MB", "1GB", "1024kB", "16777216"})
    void readsSegmentSizesInEveryUnit(String segment) {
        assertThat(primary("0/6018", "00000001", "200ms", segment)).isInstanceOf(PrimaryObservation.class);
    }

    @Test
    void whatAStandbyDoesNotReportIsUnknown() {
        StandbyObservation standby = (StandbyObservation) standby(null, null);
        assertThat(standby.knowsPosition()).isFalse();
        assertThat(((StandbyObservation) standby("1", "0/0")).knowsPosition()).isFalse();
        assertThat(((StandbyObservation) standby("1", "0/1")).knowsPosition()).isTrue();
    }

    @Test
    void refusesAnswersOfAnotherForm() {
        assertThatIllegalArgumentException().isThrownBy(() -> primary(null, "00000001", "200ms", "16MB"));
        assertThatIllegalArgumentException().isThrownBy(() -> primary("0/6000", null, "200ms", "16MB"));
        assertThatIllegalArgumentException().isThrownBy(() -> primary("0/6000", "00000000", "200ms", "16MB"));
        assertThatIllegalArgumentException().isThrownBy(() -> primary("0/6000", "00000001", "soon", "16MB"));
        assertThatIllegalArgumentException().isThrownBy(() -> primary("0/6000", "00000001", "16MB", "16MB"));
        assertThatIllegalArgumentException().isThrownBy(() -> primary("0/6000", "00000001", "200ms", "17MB"));
        assertThatIllegalArgumentException().isThrownBy(() -> standby("one", "0/1"));
        assertThatIllegalArgumentException().isThrownBy(() -> standby("1", "behind"));
    }
}
