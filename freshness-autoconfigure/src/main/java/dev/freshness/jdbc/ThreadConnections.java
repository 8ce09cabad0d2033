/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.util.ArrayList;
import java.util.List;

/**
 * The logical connections that a thread has open on one database, so that a read which is about to wait can see what the
 * thread holds: a thread that others may be waiting for must not wait itself.
 *
 * <p>What it does when it cannot know: a logical connection that another thread used last is left alone.
 *
 * <p>Thread-safe, since each list belongs to one thread.
 */
final class ThreadConnections {

    /** A list that grows beyond this holds connections that other threads have closed. */
    private static final int FEW = 8;

    private final ThreadLocal<List<ConnectionRoute>> routes = ThreadLocal.withInitial(() -> new ArrayList<>(2));

    /** Notes that the calling thread has borrowed for a logical connection. */
    void add(ConnectionRoute route) {
        List<ConnectionRoute> mine = this.routes.get();
        if (mine.size() >= FEW) {
            mine.removeIf(ConnectionRoute::isNotOfThisThread);
        }
        mine.add(route);
    }

    void remove(ConnectionRoute route) {
        this.routes.get().remove(route);
    }

    /** Whether the thread holds nothing of the writer, once what lies idle is given back. */
    boolean isFreeToWait() {
        return !isBusyOnWriter() && letIdleGo();
    }

    /** Whether the thread has begun a transaction that may write, and not ended it. */
    boolean isInWriteTransaction() {
        for (ConnectionRoute route : this.routes.get()) {
            if (!route.isNotOfThisThread() && route.isOpenForWrites()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the thread has an open transaction or a permit on the writer. */
    boolean isBusyOnWriter() {
        for (ConnectionRoute route : this.routes.get()) {
            if (!route.isNotOfThisThread() && route.isBusyOnWriter()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Gives back what lies idle, as between a commit and the end of its callbacks.
     *
     * @return whether nothing of the writer is left in the thread's hands
     */
    private boolean letIdleGo() {
        boolean nothingLeft = true;
        for (ConnectionRoute route : this.routes.get()) {
            if (!route.isNotOfThisThread()) {
                route.letIdleGo();
                nothingLeft &= !route.holdsWriter();
            }
        }
        return nothingLeft;
    }
}
