/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the business object that a method's writes are of, so that only those owe to them who read that object or
 * everything.
 *
 * <pre>{@code
 * @FreshnessScope("'profile:' + #id")
 * @Transactional
 * public void rename(long id, String name) { .. }
 *
 * @Freshness(value = READ_YOUR_WRITES, scope = "'profile:' + #id")
 * @Transactional(readOnly = true)
 * public Profile load(long id) { .. }             // includes the rename of this profile
 *
 * @Freshness(READ_YOUR_WRITES)
 * @Transactional(readOnly = true)
 * public List<Profile> list() { .. }              // includes every rename
 * }</pre>
 *
 * <p>States no contract: reads of the method run where they would without it. {@link Freshness#scope} says how the name is
 * made, and names the object of the reads; where a method has no annotation of this kind, also that of its writes.
 *
 * <p>It goes for everything that the method calls on its thread, until a method further inside names something else. What a
 * transaction writes is known when it commits: it counts for the object of the method it began in, and for those that
 * methods called within it have named. It counts for everything, and everybody's reads owe to it, where
 *
 * <ul>
 *   <li>the transaction began outside of any such method, whoever joins it,
 *   <li>the name cannot be known, in the method it began in or in one called within it,
 *   <li>methods within it have named more than eight objects,
 *   <li>it was committed by the text of a statement, or through the driver's own connection.
 * </ul>
 *
 * <p>Whoever names an object vouches that the method writes nothing else: what it changes besides is missed by reads of that.
 * Entities changed before the method and flushed by its transaction are part of what it writes.
 *
 * <p>Looked up on the method of the class, then of its interfaces. Only calls that come through the Spring proxy count.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FreshnessScope {

    /**
     * The object's name, as an expression of the Spring Expression Language.
     *
     * @return the expression, see {@link Freshness#scope}
     */
    String value();
}
