/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * What a read asks for. Comes from {@link Freshness} on a method, or from {@link FreshnessOperations#contract}.
 *
 * <p>Immutable and thread-safe.
 *
 * @param mode how fresh the answer must be
 * @param maxStaleness how old the answer of a replica may be, more than zero; not looked at under
 *     {@link FreshnessMode#AUTHORITATIVE_NOW}
 * @param waitBudget how long to wait at most for a replica to reach the client's writes under
 *     {@link FreshnessMode#READ_YOUR_WRITES}; zero for not at all
 * @param onUnmet what to do when no replica meets the contract; never {@link OnUnmet#DEFAULT}
 * @param monotonic whether reads never go back behind earlier reads of the session under such contracts; always so under
 *     {@link FreshnessMode#READ_YOUR_WRITES}
 * @param priority who goes first when many reads want to fall back to the writer
 * @param scopes the business objects whose writes its reads must include under {@link FreshnessMode#READ_YOUR_WRITES}, such
 *     as {@code profile:7}; empty for everything
 * @param declaredBy who asks, for messages: a method such as {@code ProfileService.load}, or a name given in code
 */
public record FreshnessContract(
        FreshnessMode mode,
        Duration maxStaleness,
        Duration waitBudget,
        OnUnmet onUnmet,
        boolean monotonic,
        ReadPriority priority,
        Set<String> scopes,
        String declaredBy) {

    /**
     * @throws IllegalArgumentException if the staleness is not positive, if the wait budget is negative, if either is too
     *     large to count in nanoseconds, if the policy is {@link OnUnmet#DEFAULT}, or if it is {@link OnUnmet#STALE} in
     *     another mode than {@link FreshnessMode#EVENTUAL}
     */
    public FreshnessContract {
        Objects.requireNonNull(mode, "'mode' must not be null");
        Objects.requireNonNull(priority, "'priority' must not be null");
        Objects.requireNonNull(declaredBy, "'declaredBy' must not be null");
        if (maxStaleness.isNegative() || maxStaleness.isZero()) {
            throw new IllegalArgumentException("maxStaleness must be more than zero, was " + maxStaleness);
        }
        if (maxStaleness.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("maxStaleness must be at most 292 years, was " + maxStaleness);
        }
        if (waitBudget.isNegative()) {
            throw new IllegalArgumentException("waitBudget must not be negative, was " + waitBudget);
        }
        if (waitBudget.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("waitBudget must be at most 292 years, was " + waitBudget);
        }
        if (onUnmet == OnUnmet.DEFAULT) {
            throw new IllegalArgumentException("onUnmet must be one of STALE, WRITER, REJECT");
        }
        if (onUnmet == OnUnmet.STALE && mode != FreshnessMode.EVENTUAL) {
            throw new IllegalArgumentException("onUnmet STALE is allowed only with EVENTUAL, was " + mode);
        }
        scopes = Set.copyOf(scopes);
        monotonic |= mode == FreshnessMode.READ_YOUR_WRITES;
    }

    /**
     * A contract of normal priority for everything, monotonic only if its mode is.
     *
     * @param mode how fresh the answer must be
     * @param maxStaleness how old the answer of a replica may be, more than zero
     * @param waitBudget how long to wait at most for a replica to reach the client's writes
     * @param onUnmet what to do when no replica meets the contract
     * @param declaredBy who asks
     * @throws IllegalArgumentException if a value is not allowed
     */
    public FreshnessContract(
            FreshnessMode mode, Duration maxStaleness, Duration waitBudget, OnUnmet onUnmet, String declaredBy) {
        this(mode, maxStaleness, waitBudget, onUnmet, false, ReadPriority.NORMAL, Set.of(), declaredBy);
    }

    /**
     * This contract together with one declared outside of it: field by field the stricter of the two.
     *
     * @param outer the contract already in force
     * @return a contract that meets both; this one or the outer one itself where it is the stricter in every field
     */
    public FreshnessContract joinedTo(FreshnessContract outer) {
        if (isAtLeastAsStrictAs(outer)) {
            return this;
        }
        if (outer.isAtLeastAsStrictAs(this)) {
            return outer;
        }
        return new FreshnessContract(
                this.mode.stricter(outer.mode),
                this.maxStaleness.compareTo(outer.maxStaleness) <= 0 ? this.maxStaleness : outer.maxStaleness,
                this.waitBudget.compareTo(outer.waitBudget) <= 0 ? this.waitBudget : outer.waitBudget,
                this.onUnmet.stricter(outer.onUnmet),
                this.monotonic || outer.monotonic,
                this.priority.higher(outer.priority),
                scopesWith(outer),
                this.declaredBy + " within " + outer.declaredBy);
    }

    /**
     * This contract with another bound.
     *
     * @param maxStaleness how old the answer of a replica may be, more than zero
     * @return a new contract
     * @throws IllegalArgumentException if the bound is not positive
     */
    public FreshnessContract withMaxStaleness(Duration maxStaleness) {
        return new FreshnessContract(
                this.mode,
                maxStaleness,
                this.waitBudget,
                this.onUnmet,
                this.monotonic,
                this.priority,
                this.scopes,
                this.declaredBy);
    }

    /**
     * This contract with another wait budget.
     *
     * @param waitBudget how long to wait at most for a replica to reach the client's writes; zero for not at all
     * @return a new contract
     * @throws IllegalArgumentException if the budget is negative
     */
    public FreshnessContract withWaitBudget(Duration waitBudget) {
        return new FreshnessContract(
                this.mode,
                this.maxStaleness,
                waitBudget,
                this.onUnmet,
                this.monotonic,
                this.priority,
                this.scopes,
                this.declaredBy);
    }

    /**
     * This contract with another policy.
     *
     * @param onUnmet what to do when no replica meets the contract, not {@link OnUnmet#DEFAULT}
     * @return a new contract
     * @throws IllegalArgumentException if the policy is not allowed with this contract's mode
     */
    public FreshnessContract withOnUnmet(OnUnmet onUnmet) {
        return new FreshnessContract(
                this.mode,
                this.maxStaleness,
                this.waitBudget,
                onUnmet,
                this.monotonic,
                this.priority,
                this.scopes,
                this.declaredBy);
    }

    /**
     * This contract with or without monotonic reads.
     *
     * @param monotonic whether reads never go back behind earlier reads of the session; has no effect on
     *     {@link FreshnessMode#READ_YOUR_WRITES}, where they never do
     * @return a new contract
     */
    public FreshnessContract withMonotonic(boolean monotonic) {
        return new FreshnessContract(
                this.mode,
                this.maxStaleness,
                this.waitBudget,
                this.onUnmet,
                monotonic,
                this.priority,
                this.scopes,
                this.declaredBy);
    }

    /**
     * This contract with another priority.
     *
     * @param priority who goes first when many reads want to fall back to the writer
     * @return a new contract
     */
    public FreshnessContract withPriority(ReadPriority priority) {
        return new FreshnessContract(
                this.mode,
                this.maxStaleness,
                this.waitBudget,
                this.onUnmet,
                this.monotonic,
                priority,
                this.scopes,
                this.declaredBy);
    }

    /**
     * This contract for some business objects only.
     *
     * @param scopes the objects whose writes its reads must include, such as {@code profile:7}, as the writes name them;
     *     none for everything
     * @return a new contract
     */
    public FreshnessContract withScopes(String... scopes) {
        return new FreshnessContract(
                this.mode,
                this.maxStaleness,
                this.waitBudget,
                this.onUnmet,
                this.monotonic,
                this.priority,
                Set.of(scopes),
                this.declaredBy);
    }

    private boolean owesToWrites() {
        return this.mode == FreshnessMode.READ_YOUR_WRITES;
    }

    /** Only those count whose contract owes to writes at all. */
    private Set<String> scopesWith(FreshnessContract other) {
        if (!other.owesToWrites()) {
            return this.scopes;
        }
        if (!owesToWrites()) {
            return other.scopes;
        }
        if (this.scopes.isEmpty() || other.scopes.isEmpty()) {
            return Set.of();
        }
        Set<String> both = new HashSet<>(this.scopes);
        both.addAll(other.scopes);
        return Collections.unmodifiableSet(both);
    }

    private boolean includesScopesOf(FreshnessContract other) {
        return !other.owesToWrites()
                || this.scopes.isEmpty()
                || !other.scopes.isEmpty() && this.scopes.containsAll(other.scopes);
    }

    private boolean isAtLeastAsStrictAs(FreshnessContract other) {
        // The writer, now, leaves nothing for the other fields to say.
        return this.mode == FreshnessMode.AUTHORITATIVE_NOW
                || (this.mode.compareTo(other.mode) >= 0
                        && this.maxStaleness.compareTo(other.maxStaleness) <= 0
                        && this.waitBudget.compareTo(other.waitBudget) <= 0
                        && this.onUnmet.compareTo(other.onUnmet) >= 0
                        && (this.monotonic || !other.monotonic)
                        && this.priority.compareTo(other.priority) >= 0
                        && includesScopesOf(other));
    }
}
