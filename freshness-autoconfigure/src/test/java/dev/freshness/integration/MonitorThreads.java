/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import java.util.HashSet;
import java.util.Set;

/** The monitor threads that came into being after a moment; other contexts of the JVM may have their own. */
public final class MonitorThreads {

    private final Set<Thread> before = alive();

    private static Set<Thread> alive() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> !thread.getName().startsWith("freshness-monitor"));
        return threads;
    }

    /**
     * Those that are alive and were not when this was made.
     *
     * @return the threads
     */
    public Set<Thread> since() {
        Set<Thread> threads = alive();
        threads.removeAll(this.before);
        return threads;
    }
}
