/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

/**
 * Tells how busy the replicas are, from this instance's point of view. Asked for every decision, so it must be quick and
 * free of locks; the figures need not be exact.
 */
public interface ReplicaLoads {

    /** Knows of no load: all replicas are alike and none is ever full. */
    ReplicaLoads NONE = new ReplicaLoads() {
        @Override
        public long load(int replica, long now) {
            return 0;
        }

        @Override
        public boolean isFull(int replica) {
            return false;
        }
    };

    /**
     * How loaded a replica is.
     *
     * @param replica its index
     * @param now {@link System#nanoTime()}
     * @return zero or more, in any unit that is the same for all replicas, at most 2<sup>50</sup>
     */
    long load(int replica, long now);

    /**
     * Whether one more unit would have to wait for a connection.
     *
     * @param replica its index
     * @return false if that is not known
     */
    boolean isFull(int replica);
}
