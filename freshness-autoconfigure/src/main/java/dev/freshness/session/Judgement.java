/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import dev.freshness.topology.PrimaryObservation;
import dev.freshness.wal.WalPosition;
import org.jspecify.annotations.Nullable;

/** Why a position that came from outside cannot be one of this database's history. */
public enum Judgement {

    /** It is of another cluster. */
    OTHER_CLUSTER,

    /** It is of another timeline than the writer's. */
    OTHER_HISTORY,

    /** The writer has not written that far: what was there is lost. */
    BEYOND_WRITER;

    /**
     * Holds a position against the writer.
     *
     * @param position the position
     * @param sample a sample of the writer, begun after the position arrived
     * @return what is wrong with the position, null for nothing
     */
    static @Nullable Judgement of(WalPosition position, PrimaryObservation sample) {
        Judgement foreign = of(position, sample.positionAfter(sample.sampledAt()));
        return foreign == null && !sample.insert().isAtOrPast(position.lsn()) ? BEYOND_WRITER : foreign;
    }

    /**
     * Holds the history of a position against that of another.
     *
     * @param position the position
     * @param own a position that the writer gave after it arrived
     * @return what is wrong with the position, null for nothing
     */
    static @Nullable Judgement of(WalPosition position, WalPosition own) {
        if (position.systemIdentifier() != own.systemIdentifier()) {
            return OTHER_CLUSTER;
        }
        return position.timeline() == own.timeline() ? null : OTHER_HISTORY;
    }
}
