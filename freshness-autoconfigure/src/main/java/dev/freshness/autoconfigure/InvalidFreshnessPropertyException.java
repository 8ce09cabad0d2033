/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

/** A property of the starter has a value that is not allowed. Raised while the application context starts. */
public final class InvalidFreshnessPropertyException extends IllegalArgumentException {

    private final String property;

    private final String problem;

    private final String action;

    /**
     * Creates the exception.
     *
     * @param property the property at fault
     * @param problem what is wrong with it, without any secret
     * @param action what is allowed
     */
    public InvalidFreshnessPropertyException(String property, String problem, String action) {
        super("Property '" + property + "' " + problem + ". " + action);
        this.property = property;
        this.problem = problem;
        this.action = action;
    }

    String property() {
        return this.property;
    }

    String problem() {
        return this.problem;
    }

    String action() {
        return this.action;
    }
}
