/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

/**
 * What one probe of a node brought. It vouches for the moment before the probe was sent, and only for the server that
 * answered. It expires: see {@link DatabaseState}.
 */
public sealed interface NodeObservation permits PrimaryObservation, StandbyObservation, FailedObservation {

    /**
     * When the probe was sent.
     *
     * @return {@link System#nanoTime()} taken before sending
     */
    long sampledAt();
}
