/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import java.util.List;

/**
 * Told of what happens in a session.
 *
 * <p>Methods are called on the threads that use the session, must be quick and must neither throw nor use the session.
 */
public interface SessionListener {

    /** Listens to nothing. */
    SessionListener NONE = new SessionListener() {};

    /**
     * Another node was used.
     *
     * @param nodes all that were used, in order of first use
     */
    default void servedBy(List<String> nodes) {}

    /**
     * A position that came from outside turned out to be none of the writer's history.
     *
     * @param database its database
     * @param judgement why
     */
    default void judged(String database, Judgement judgement) {}
}
