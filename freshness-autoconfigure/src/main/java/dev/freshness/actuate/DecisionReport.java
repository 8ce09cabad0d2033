/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessVerdict;
import dev.freshness.routing.Outcome;
import dev.freshness.wal.WalPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A decision as operators see it. What is not known is null.
 *
 * @param at when it was made
 * @param database the database
 * @param contract who asked
 * @param mode how fresh the answer had to be
 * @param outcome what became of it
 * @param reason why
 * @param node where it ran, null where it was refused
 * @param met whether the node met the contract
 * @param enforced false for what would have become of a read whose contract was only observed
 * @param required the position that the answer had to include, null for none
 * @param requiredKnown false if it was not known what the answer had to include
 * @param observed the position that the node was last observed at
 * @param observedAge how old that observation was
 * @param stalenessBound how old the answer could be at most
 * @param ids the request or trace, by the keys of the logging context
 */
public record DecisionReport(
        Instant at,
        String database,
        String contract,
        FreshnessMode mode,
        String outcome,
        String reason,
        @Nullable String node,
        boolean met,
        boolean enforced,
        @Nullable String required,
        boolean requiredKnown,
        @Nullable String observed,
        @Nullable Duration observedAge,
        @Nullable Duration stalenessBound,
        Map<String, String> ids) {

    static DecisionReport of(Instant at, FreshnessVerdict verdict, boolean enforced, Map<String, String> ids) {
        return new DecisionReport(
                at,
                verdict.database(),
                verdict.declaredBy(),
                verdict.mode(),
                verdict.outcome(),
                verdict.reason(),
                verdict.node(),
                isMet(verdict),
                enforced,
                lsn(verdict.floor()),
                verdict.floorKnown(),
                lsn(verdict.observed()),
                verdict.observedAge(),
                verdict.stalenessBound(),
                Map.copyOf(ids));
    }

    /** Whether a read got what its contract asks for. */
    static boolean isMet(FreshnessVerdict verdict) {
        return verdict.node() != null && !verdict.outcome().equals(Outcome.STALE.tag());
    }

    private static @Nullable String lsn(@Nullable WalPosition position) {
        return position == null ? null : position.lsn().toString();
    }
}
