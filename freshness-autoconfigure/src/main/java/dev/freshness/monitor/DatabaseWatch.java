/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.routing.WaitOutcome;
import dev.freshness.topology.DatabaseState;
import java.util.function.Consumer;

/**
 * What decisions need of the monitor: the newest state, and ways to get a newer one sooner.
 *
 * <p>Implementations are thread-safe.
 */
public interface DatabaseWatch {

    /**
     * A database that nobody watches: its state never changes.
     *
     * @param state the state
     * @return a watch that answers with it and never waits
     */
    static DatabaseWatch unwatched(DatabaseState state) {
        return new DatabaseWatch() {
            @Override
            public DatabaseState state() {
                return state;
            }

            @Override
            public void probeSoon(int node) {
                // Nobody probes.
            }

            @Override
            public WaitOutcome await(Awaited awaited, long nanos) {
                return awaited.isMet(state) ? WaitOutcome.REACHED : WaitOutcome.ENDED;
            }

            @Override
            public void note(Awaited awaited, long nanos, Consumer<WaitOutcome> then) {
                then.accept(await(awaited, nanos));
            }
        };
    }

    /**
     * What is known now.
     *
     * @return the newest state; one without observations before the first probe
     */
    DatabaseState state();

    /**
     * Asks for a probe of a node ahead of its turn, for example because a connection to it broke. Returns at once.
     *
     * @param node the index of a replica, or -1 for the writer
     */
    void probeSoon(int node);

    /**
     * Waits for a state of some kind. Holds no connection and no lock; those who wait share one stream of probes for each
     * replica, which is as fast as the nearest of their floors asks for. Where servers can be told to answer once they have
     * replayed a position, as PostgreSQL 19 can by {@code WAIT FOR LSN}, an implementation may ask for the lowest floor of
     * all who wait instead of probing.
     *
     * @param awaited what to wait for
     * @param nanos how long to wait at most, in nanoseconds
     * @return {@link WaitOutcome#REACHED} once such a state was published; {@link WaitOutcome#HOPELESS} as soon as
     *     {@link Awaited#isHopeless} says so; {@link WaitOutcome#EXHAUSTED} after the time is up; {@link WaitOutcome#ENDED}
     *     after an interrupt, which stays set, and when the monitor is stopped
     */
    WaitOutcome await(Awaited awaited, long nanos);

    /**
     * Notes how a wait would have ended, without anybody waiting. Hurries the probes as the wait would have done.
     *
     * @param awaited what would have been waited for
     * @param nanos how long at most, in nanoseconds
     * @param then told of it, now on this thread or later on one of the monitor's; must be quick and must not throw
     */
    void note(Awaited awaited, long nanos, Consumer<WaitOutcome> then);
}
