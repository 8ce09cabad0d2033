/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Replicated PostgreSQL for tests and demos: a primary, streaming standbys, and controls for lag and faults.
 *
 * <pre>{@code
 * try (ReplicatedPostgres postgres = ReplicatedPostgres.start(2)) {
 *     PostgresNode replica = postgres.replica("replica-1");
 *     postgres.primary().execute("CREATE TABLE note (id int)");
 *     postgres.awaitCaughtUp();
 *     replica.pauseReplay();
 *     postgres.primary().execute("INSERT INTO note VALUES (1)");
 *     replica.query("SELECT count(*) FROM note"); // 0, until replica.resumeReplay()
 * }
 * }</pre>
 *
 * <p>In JUnit, {@link dev.freshness.test.ReplicatedPostgresTest @ReplicatedPostgresTest} starts such a cluster, and in a
 * Spring test it sets the properties of the data sources as well.
 */
@NullMarked
package dev.freshness.test;

import org.jspecify.annotations.NullMarked;
