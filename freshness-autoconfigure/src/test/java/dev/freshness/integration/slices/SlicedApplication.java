/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration.slices;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A user's project on the first day of adoption: one database, no replica set up. */
@SpringBootApplication
class SlicedApplication {}
