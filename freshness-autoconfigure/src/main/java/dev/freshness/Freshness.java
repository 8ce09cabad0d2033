/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * States how fresh the reads of a method must be.
 *
 * <p>On a class or interface it is the default for all its methods; on a method it replaces the class's. It may be put
 * on an annotation of your own. Looked up as Spring looks up {@code @Transactional}: the method of the class, the class,
 * then the interface's method and the interface. Like there, only calls that come through the Spring proxy count.
 *
 * <p>The contract is in force for everything the method calls on its thread. A contract declared further inside joins
 * it, field by field the stricter. A transaction follows the contract in force when it begins; calls that join it can
 * only tighten it, and only before its first statement: later a contract that the transaction does not meet raises
 * {@link ContractConflictException}.
 *
 * <p>Contracts speak of reads. A read-write transaction runs on the writer whatever the contract; only auto-commit
 * statements and transactions declared read-only may leave it.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface Freshness {

    /**
     * How fresh the answer must be.
     *
     * @return the mode
     */
    FreshnessMode value();

    /**
     * How old the answer of a replica may be. A positive duration with a unit, such as {@code "5s"}, {@code "500ms"} or
     * {@code "PT1M"}, or a placeholder such as {@code "${catalog.max-staleness}"}. A text that is not one stops the boot.
     * Not allowed with {@link FreshnessMode#AUTHORITATIVE_NOW}.
     *
     * @return the bound; empty for {@code freshness.max-staleness}
     */
    String maxStaleness() default "";

    /**
     * How long to wait at most for a replica to reach the client's own writes. A duration as above; {@code "0s"} for not
     * at all. Nobody holds a connection of a pool while waiting. Only with {@link FreshnessMode#READ_YOUR_WRITES}, or
     * where {@link #monotonic()} is set.
     *
     * @return the budget; empty for {@code freshness.wait-budget}
     */
    String waitBudget() default "";

    /**
     * What to do when no replica meets the contract. {@link OnUnmet#STALE} only with {@link FreshnessMode#EVENTUAL}.
     *
     * @return the policy; {@link OnUnmet#DEFAULT} for {@code freshness.on-unmet}
     */
    OnUnmet onUnmet() default OnUnmet.DEFAULT;

    /**
     * The business object that the method reads, as an expression of the Spring Expression Language that names it, such as
     * {@code "'profile:' + #id"}. Under {@link FreshnessMode#READ_YOUR_WRITES} its reads then include the client's writes to
     * this object and all writes without such a name, but need not include writes to other objects.
     *
     * <p>It is also the object that the method's writes are of, unless {@link FreshnessScope} names another. The name has to
     * be the same text where the object is written and where it is read.
     *
     * <p>The expression sees the method's parameters by their names ({@code #id}, which needs the compiler's
     * {@code -parameters}) and as {@code #p0} or {@code #a0}, and {@code #root} with {@code method}, {@code methodName},
     * {@code args}, {@code target} and {@code targetClass}. One that is wrong or names no parameter stops the boot. It is
     * evaluated once for each call, before the method runs. Its value, and that of each operand of a {@code +} in it, is a text,
     * number, boolean, UUID or enum constant; another, or an expression that throws, raises
     * {@link InvalidFreshnessContractException}.
     *
     * <p>A name is never guessed. If the value is null or empty, or an operand of a {@code +} is null, as with the
     * identifier of a new object, the method reads and writes anything.
     *
     * @return the expression; empty for everything
     */
    String scope() default "";

    /**
     * Whether reads never go back behind earlier reads of the same session under such contracts, whichever node serves
     * them. For {@link FreshnessMode#EVENTUAL}; under {@link FreshnessMode#READ_YOUR_WRITES} they never do.
     *
     * @return whether an EVENTUAL contract promises that
     */
    boolean monotonic() default false;

    /**
     * Who goes first when many reads want to fall back to the writer at once. Matters where
     * {@code freshness.writer-fallback.reserve-for-high-priority} is set.
     *
     * @return the priority
     */
    ReadPriority priority() default ReadPriority.NORMAL;

    /**
     * Whether the method is run again, once, from its start and on the writer, after a replica cancelled its read-only
     * transaction because of a recovery conflict or was lost during it.
     *
     * <p>Only a method that opens that transaction itself is: {@code @Transactional(readOnly = true)} on the same method,
     * with REQUIRED where no transaction is open or with REQUIRES_NEW, and only where no replica meeting the contract would
     * mean the writer, not {@link OnUnmet#REJECT}. And only if nothing can have been handed out:
     *
     * <ul>
     *   <li>It returns what is complete: no stream, iterator, future or publisher, nor anything else to close.
     *   <li>No parameter takes rows while it runs: none is an interface with a single abstract method (a callback;
     *       {@code Iterable} and {@code Comparable} are none), an {@code OutputStream}, {@code Writer},
     *       {@code Appendable} or {@code Collector}. If it returns nothing, all its parameters are simple values.
     *   <li>In its first run nothing used the writer or another database, nothing was committed or marked as written, no
     *       transaction began that may write, no cursor (a statement with a fetch size) delivered a row and nobody was given the
     *       driver's own connection.
     * </ul>
     *
     * <p>Set it to {@link RerunOnConflict#FALSE} for a method with effects other than on a database, which nobody but its
     * author knows of.
     *
     * @return the choice; {@link RerunOnConflict#DEFAULT} for {@code freshness.rerun-on-conflict}
     */
    RerunOnConflict rerunOnConflict() default RerunOnConflict.DEFAULT;
}
