/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.DatabaseState;
import java.util.function.Predicate;

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
            public boolean await(Predicate<DatabaseState> condition, long nanos) {
                return condition.test(state);
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
     * Waits for a state of some kind. Meanwhile the replicas are probed at once and then every millisecond, in one stream
     * for each replica however many wait.
     *
     * @param condition tells of a state whether it will do; called on several threads, must be quick and must not throw
     * @param nanos how long to wait at most, in nanoseconds
     * @return whether such a state was published; false after the time is up, after an interrupt, which stays set, and
     *     when the monitor is stopped
     */
    boolean await(Predicate<DatabaseState> condition, long nanos);
}
