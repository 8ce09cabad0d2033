/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

/** A server ended before it accepted connections. The message ends with the last lines of its log. */
public final class ServerStartException extends ReplicatedPostgresException {

    private static final long serialVersionUID = 1L;

    ServerStartException(String message) {
        super(message);
    }
}
