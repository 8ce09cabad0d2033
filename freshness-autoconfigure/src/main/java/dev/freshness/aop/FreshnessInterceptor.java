/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import dev.freshness.session.ReadAttempt;
import dev.freshness.session.ThreadScope;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.transaction.TransactionSystemException;

/**
 * Keeps a method's contract in force while it runs, and says of which business object its writes are.
 *
 * <p>A method whose own read-only transaction a replica cancelled or lost is run once more, from its start and on the
 * writer, if that is allowed and its first run has left nothing behind. Whatever that run ends with is what the caller
 * gets; a failure carries that of the first run.
 *
 * <p>Thread-safe.
 */
final class FreshnessInterceptor implements MethodInterceptor {

    private static final Logger logger = LoggerFactory.getLogger(FreshnessInterceptor.class);

    private final ContractSource source;

    private final ReRunRule reruns;

    private final Supplier<ContractBoundary> boundary;

    FreshnessInterceptor(ContractSource source, ReRunRule reruns, Supplier<ContractBoundary> boundary) {
        this.source = source;
        this.reruns = reruns;
        this.boundary = boundary;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> targetClass = target == null ? null : target.getClass();
        MethodContract known = this.source.contract(invocation.getMethod(), targetClass);
        if (known == null) {
            return invocation.proceed();
        }
        MethodScopes scopes = known.scopes();
        if (scopes == null) {
            return call(invocation, targetClass, known, known.contract());
        }
        MethodScopes.Named named = scopes.of(invocation);
        FreshnessContract contract = known.contract();
        try (ThreadScope written = named.open()) {
            return call(invocation, targetClass, known, contract == null ? null : named.narrowed(contract));
        }
    }

    private @Nullable Object call(
            MethodInvocation invocation,
            @Nullable Class<?> targetClass,
            MethodContract known,
            @Nullable FreshnessContract contract)
            throws Throwable {
        if (contract == null) {
            return invocation.proceed();
        }
        if (known.rerunOnConflict()
                && invocation instanceof ProxyMethodInvocation repeatable
                && this.reruns.allows(invocation.getMethod(), targetClass)) {
            return runAtMostTwice(repeatable, targetClass, contract);
        }
        return run(invocation, targetClass, contract, ThreadScope::open);
    }

    private @Nullable Object run(
            MethodInvocation invocation,
            @Nullable Class<?> targetClass,
            FreshnessContract contract,
            Function<FreshnessContract, ThreadScope> open)
            throws Throwable {
        FreshnessContract around = ContractBoundaries.inForce();
        try (ThreadScope scope = open.apply(contract);
                ContractBoundary.Exit exit = ContractBoundaries.enter(
                        this.boundary.get(), around, scope, invocation.getMethod(), targetClass)) {
            return invocation.proceed();
        } catch (TransactionSystemException ex) {
            throw CommitFailures.unwrapped(ex);
        }
    }

    private @Nullable Object runAtMostTwice(
            ProxyMethodInvocation invocation, @Nullable Class<?> targetClass, FreshnessContract contract)
            throws Throwable {
        ReadAttempt attempt = new ReadAttempt();
        try {
            // What was proceeded cannot be proceeded again from here.
            return run(invocation.invocableClone(), targetClass, contract, asked -> ThreadScope.open(asked, attempt));
        } catch (Exception first) {
            ReadAttempt.Failure failure = attempt.failure();
            if (failure == null) {
                throw first;
            }
            logger.debug("{} runs again, on the writer", contract.declaredBy(), first);
            return runAgain(invocation, targetClass, contract, failure, first);
        }
    }

    private @Nullable Object runAgain(
            MethodInvocation invocation,
            @Nullable Class<?> targetClass,
            FreshnessContract contract,
            ReadAttempt.Failure failure,
            Exception first)
            throws Throwable {
        boolean succeeded = false;
        try {
            Object result = run(invocation, targetClass, contract, asked -> ThreadScope.openAgain(asked, failure));
            succeeded = true;
            return result;
        } catch (Throwable second) {
            if (second != first) {
                second.addSuppressed(first);
            }
            throw second;
        } finally {
            failure.rerun().accept(succeeded);
        }
    }
}
