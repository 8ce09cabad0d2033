/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.session.ThreadScope;
import org.jspecify.annotations.Nullable;

/**
 * The scopes whose end concerns a logical connection: the contract scope it was opened in, and the one that a replica
 * serves without a transaction.
 *
 * <p>Confined to its logical connection, whose thread is that of the scopes.
 */
final class ScopeEnds {

    private final Runnable ended;

    /** The contract scope the connection was opened in, if any. */
    private final @Nullable ThreadScope home;

    private boolean homeWatched;

    private @Nullable ThreadScope served;

    /**
     * Looks at the scope in force.
     *
     * @param ended called when a watched scope has ended
     */
    ScopeEnds(Runnable ended) {
        this.ended = ended;
        ThreadScope scope = ThreadScope.current();
        this.home = scope == null || scope.contract() == null ? null : scope;
    }

    /** Whether the connection has outlived the contract it was opened under. */
    boolean isAfterHome() {
        return this.home != null && !this.home.isOpen();
    }

    void watchHome() {
        if (this.home != null && !this.homeWatched && this.home.isOpen()) {
            this.homeWatched = true;
            this.home.onClose(this.ended);
        }
    }

    void watchServed(ThreadScope scope) {
        if (this.served != scope) {
            forgetServed();
            this.served = scope;
            scope.onClose(this.ended);
        }
    }

    private void forgetServed() {
        if (this.served != null) {
            this.served.forget(this.ended);
            this.served = null;
        }
    }

    /** The connection is closed: no scope's end concerns it any more. */
    void forgetAll() {
        forgetServed();
        if (this.homeWatched && this.home != null) {
            this.home.forget(this.ended);
        }
    }
}
