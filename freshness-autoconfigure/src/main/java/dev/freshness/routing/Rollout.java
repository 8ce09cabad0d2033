/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import dev.freshness.session.FreshnessSession;
import org.jspecify.annotations.Nullable;

/**
 * For how many sessions contracts are enforced. Reads of the others all run on the writer, and what enforcing would have
 * come to is only counted.
 *
 * <p>Guarantees that a session is treated in one way from its first question to its end, and that a client whose token
 * carries its place stays on its side while the percentage only rises or only falls.
 *
 * <p>Thread-safe; can be changed at any time.
 */
public final class Rollout {

    private static final int ALL = 100;

    private volatile int percentage;

    /**
     * Creates it.
     *
     * @param percentage how many of a hundred sessions are enforced, from 0 to 100
     * @throws IllegalArgumentException if it is another number
     */
    public Rollout(int percentage) {
        this.percentage = valid(percentage);
    }

    /**
     * One that enforces every contract.
     *
     * @return a new one
     */
    public static Rollout full() {
        return new Rollout(ALL);
    }

    private static int valid(int percentage) {
        if (percentage < 0 || percentage > ALL) {
            throw new IllegalArgumentException("A percentage must be from 0 to 100, was " + percentage);
        }
        return percentage;
    }

    /**
     * How many of a hundred sessions are enforced.
     *
     * @return from 0 to 100
     */
    public int percentage() {
        return this.percentage;
    }

    /**
     * Changes it, for sessions that nobody has asked about yet.
     *
     * @param newPercentage from 0 to 100
     * @throws IllegalArgumentException if it is another number
     */
    public void change(int newPercentage) {
        this.percentage = valid(newPercentage);
    }

    /**
     * Whether the contracts of a session are enforced.
     *
     * @param session the session, null for work without one, which counts as enforced if any session is
     * @return whether they are enforced, and not only observed
     */
    public boolean isEnforcedFor(@Nullable FreshnessSession session) {
        return session == null ? this.percentage > 0 : session.isEnforced(this.percentage);
    }
}
