/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

/** The class path holds no PostgreSQL binaries for this machine. The message names the Maven artifact to add. */
public final class MissingBundleException extends ReplicatedPostgresException {

    private static final long serialVersionUID = 1L;

    MissingBundleException(String message) {
        super(message);
    }
}
