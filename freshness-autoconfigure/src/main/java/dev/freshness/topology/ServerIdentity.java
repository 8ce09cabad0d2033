/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.topology;

/**
 * Which running server answered: the cluster and the time its postmaster started. Two connections with the same
 * identity lead to one running server; after a restart it is another.
 *
 * @param systemIdentifier the cluster, to be read as unsigned; shared by a primary and its standbys
 * @param startedAtMicros the start of the postmaster in microseconds since 1970 by the server's clock
 */
public record ServerIdentity(long systemIdentifier, long startedAtMicros) {}
