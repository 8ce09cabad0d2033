/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

/**
 * How full a pool is.
 *
 * @param name the pool's name, as in its metrics
 * @param active connections in use
 * @param idle connections that lie idle
 * @param pending threads that wait for a connection
 * @param max most connections that it holds
 */
public record PoolFigures(String name, int active, int idle, int pending, int max) {}
