/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Starts a {@link ReplicatedPostgres} for a JUnit test class and injects it, or its nodes, into constructors, test methods
 * and lifecycle methods: a parameter of type {@code ReplicatedPostgres} is the cluster, one of type {@link PostgresNode} is
 * the primary, or with {@link Node @Node} the replica of that name.
 *
 * <p>Before each test method the cluster is {@linkplain ReplicatedPostgres#reset() reset}: replay goes on, delays are off,
 * links and servers are up, and the replicas have caught up. Data stay as they are, also from one class to the next. A
 * cluster that cannot be reset, as after a promotion, is closed, and a new, empty one is started in its place.
 *
 * <p>In a Spring test the context gets the cluster's {@linkplain ReplicatedPostgres#properties() properties}, with
 * precedence over those of files. A cached context whose cluster was replaced is dropped before fields are injected; one
 * whose cluster is about to be replaced because of a control such as {@link PostgresNode#promote()}, right after the method.
 *
 * <p>Classes with this annotation exclude each other when tests run in parallel. Nested classes belong to the cluster of
 * the class around them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(ReplicatedPostgresExtension.class)
@ResourceLock("dev.freshness.test.ReplicatedPostgres")
public @interface ReplicatedPostgresTest {

    /**
     * The number of standbys, named {@code replica-1} and so on. Not used if there are {@link #names()}.
     *
     * @return how many
     */
    int replicas() default 2;

    /**
     * The names of the standbys.
     *
     * @return the names, or none to have {@link #replicas()} of them with default names
     */
    String[] names() default {};

    /**
     * Server parameters as {@code name=value}.
     *
     * @return what to set over the library's defaults
     */
    String[] serverSettings() default {};

    /**
     * Whether the cluster is shared with all other test classes of this JVM that ask for an equal one. It then lives until
     * the JVM ends, as cached Spring contexts do. Otherwise it is closed after the class, and so is a Spring context of the
     * class.
     *
     * @return true to share
     */
    boolean shared() default true;
}
