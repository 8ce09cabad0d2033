/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

import org.jspecify.annotations.Nullable;

/**
 * A probe that brought nothing: no connection, no answer in time, or an answer that could not be read.
 *
 * @param sampledAt {@link System#nanoTime()} taken before the probe was sent
 * @param sqlState the SQLSTATE, if the failure had one
 * @param message what went wrong; never contains credentials
 */
public record FailedObservation(long sampledAt, @Nullable String sqlState, String message) implements NodeObservation {}
