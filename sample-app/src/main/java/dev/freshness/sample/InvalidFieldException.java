/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

/** A field of the request holds what only the database could tell to be wrong. */
public final class InvalidFieldException extends RuntimeException {

    private final String field;

    /**
     * Creates the exception.
     *
     * @param field the name of the field
     * @param message what is wrong with its value
     */
    public InvalidFieldException(String field, String message) {
        super(message);
        this.field = field;
    }

    /**
     * The field.
     *
     * @return its name
     */
    public String field() {
        return field;
    }
}
