/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

/**
 * Says of a refused write where it was refused and why. Found among the suppressed exceptions of the database's own 25006,
 * so that it is printed with it.
 */
final class RefusedWrite extends Exception {

    RefusedWrite(String message) {
        super(message, null, false, false);
    }
}
