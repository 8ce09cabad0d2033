/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says which node a parameter of type {@link PostgresNode} is meant to be, in a {@link ReplicatedPostgresTest}. */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Node {

    /**
     * The name of a replica, or {@code primary}.
     *
     * @return the name
     */
    String value();
}
