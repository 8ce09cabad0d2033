/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

/** What the client asked for is not there, as far as the node that answered knows. */
public final class NotFoundException extends RuntimeException {

    /**
     * Creates the exception.
     *
     * @param what the kind of thing
     * @param id which one
     */
    public NotFoundException(String what, Object id) {
        super("There is no " + what + " " + id);
    }
}
