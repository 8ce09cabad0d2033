/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import dev.freshness.wal.WalPosition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of a contract: where its newest read went, why, and what was known then.
 *
 * <p>Immutable and thread-safe.
 *
 * @param database the database
 * @param declaredBy who asked, for example {@code ProfileService.profile}
 * @param mode how fresh the answer had to be
 * @param node the node that the read went to, null if it was refused
 * @param floor what it had to include, null for nothing or if that was not known
 * @param floorKnown whether that was known
 * @param observed the node's position when last observed before, null if not known
 * @param observedAge how old that observation was, null if there was none
 * @param stalenessBound how old the answer could be at most, zero from the writer, null if not known
 * @param outcome as in the meter {@code freshness.decisions}, for example {@code replica} or {@code writer_fallback}
 * @param reason why, as there, for example {@code contract-met} or {@code behind-floor}
 */
public record FreshnessVerdict(
        String database,
        String declaredBy,
        FreshnessMode mode,
        @Nullable String node,
        @Nullable WalPosition floor,
        boolean floorKnown,
        @Nullable WalPosition observed,
        @Nullable Duration observedAge,
        @Nullable Duration stalenessBound,
        String outcome,
        String reason) {}
