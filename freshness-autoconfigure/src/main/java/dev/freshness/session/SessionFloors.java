/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.WalPosition;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The floors of one database in a session, and where they come from.
 *
 * <p>Immutable and thread-safe.
 *
 * @param floors the floors
 * @param writes how often something was written
 * @param carried whether something was carried in
 * @param unchecked whether the writer has yet to be asked about what was carried in
 * @param checkAfter {@link System#nanoTime()}: only a sample begun later tells whether the floors lie beyond the writer
 * @param replaced whether what was carried in was replaced
 */
record SessionFloors(Floors floors, int writes, boolean carried, boolean unchecked, long checkAfter, boolean replaced) {

    static SessionFloors of(Floors floors) {
        return new SessionFloors(floors, 0, false, false, 0, false);
    }

    /** Whether no sample of the writer can tell more. */
    boolean isSettled() {
        return !this.unchecked && this.floors.isKnown();
    }

    @Nullable
    Long awaitsSampleAfter(@Nullable PrimaryObservation newest, boolean check) {
        Long after = check && this.unchecked ? this.checkAfter : null;
        if (!this.floors.isKnown()) {
            after = laterOf(after, this.floors.general(), newest);
            for (Floor scoped : this.floors.scopes().values()) {
                after = laterOf(after, scoped, newest);
            }
        }
        return after;
    }

    private static @Nullable Long laterOf(@Nullable Long moment, Floor floor, @Nullable PrimaryObservation newest) {
        if (!(floor instanceof Floor.Unknown unknown) || !unknown.resolvable() || unknown.isOfOtherServerThan(newest)) {
            return moment;
        }
        return moment == null || unknown.since() - moment > 0 ? Long.valueOf(unknown.since()) : moment;
    }

    SessionFloors carrying(Floors more, long arrivedAt) {
        if (more.isNone()) {
            return this;
        }
        return new SessionFloors(
                this.floors.and(more, arrivedAt), this.writes, true, true, laterCheckAfter(arrivedAt), this.replaced);
    }

    SessionFloors written(Set<String> scopes, UnaryOperator<Floor> change, long now) {
        return new SessionFloors(
                this.floors.written(scopes, change),
                this.writes + 1,
                this.carried,
                this.unchecked,
                laterCheckAfter(now),
                this.replaced);
    }

    /** Threads may come here in another order than what they tell of has happened in. */
    private long laterCheckAfter(long moment) {
        boolean isFirst = !this.unchecked && this.writes == 0;
        return isFirst || moment - this.checkAfter > 0 ? moment : this.checkAfter;
    }

    SessionFloors resolvedBy(WalPosition own, long askedAt, ServerIdentity writer) {
        return this.floors.isKnown()
                ? this
                : with(this.floors.each(floor -> floor.resolvedBy(own, askedAt, writer)), this.unchecked);
    }

    SessionFloors resolvedOnDemandBy(@Nullable PrimaryObservation sample) {
        return with(this.floors.resolvedOnDemandBy(sample), this.unchecked);
    }

    SessionFloors inTheLightOf(@Nullable PrimaryObservation sample, SessionListener listener, String database) {
        if (!this.unchecked || sample == null || sample.sampledAt() - this.checkAfter <= 0) {
            return with(this.floors.resolvedBy(sample), this.unchecked);
        }
        Floors checked = this.floors.each(floor -> {
            Judgement judgement = floor instanceof Floor.At at ? Judgement.of(at.position(), sample) : null;
            if (judgement == null) {
                return floor;
            }
            listener.judged(database, judgement);
            return new Floor.At(sample.positionAfter(this.checkAfter));
        });
        return with(checked.resolvedBy(sample), false);
    }

    /** Replaces what is of another history than a position that the writer has just given. */
    SessionFloors heldAgainst(WalPosition own, long askedAt, SessionListener listener, String database) {
        if (!this.unchecked || askedAt - this.checkAfter < 0) {
            return this;
        }
        Floors checked = this.floors.each(floor -> {
            Judgement judgement = floor instanceof Floor.At at ? Judgement.of(at.position(), own) : null;
            if (judgement == null) {
                return floor;
            }
            listener.judged(database, judgement);
            return new Floor.At(own);
        });
        return with(checked, true);
    }

    private SessionFloors with(Floors changed, boolean stillUnchecked) {
        boolean same = changed.equals(this.floors);
        if (same && stillUnchecked == this.unchecked) {
            return this;
        }
        return new SessionFloors(
                changed,
                this.writes,
                this.carried,
                stillUnchecked,
                this.checkAfter,
                this.replaced || this.carried && !same);
    }
}
