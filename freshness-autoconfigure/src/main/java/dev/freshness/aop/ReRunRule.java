/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import java.io.OutputStream;
import java.io.Writer;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * Tells which methods may be run again: those that open a read-only transaction of their own, and by whose signature
 * nothing can be handed out while they run or after. {@link dev.freshness.Freshness#rerunOnConflict} says which those are.
 *
 * <p>What it does when it cannot know: the method is not run again.
 *
 * <p>Thread-safe. Each method is looked at once.
 */
final class ReRunRule {

    /** By name, since they are of libraries that need not be there. */
    private static final String COROUTINE = "kotlin.coroutines.Continuation";

    private enum OwnTransaction {
        NEVER,
        UNLESS_JOINED,
        ALWAYS
    }

    private final Supplier<TransactionAttributeSource> attributes;

    private final ConcurrentMap<MethodClassKey, OwnTransaction> methods = new ConcurrentHashMap<>();

    ReRunRule(Supplier<TransactionAttributeSource> attributes) {
        this.attributes = attributes;
    }

    /** Whether a method that is about to be called may be run again. */
    boolean allows(Method method, @Nullable Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        OwnTransaction known = this.methods.get(key);
        if (known == null) {
            known = handsNothingOut(method) ? ownTransaction(method, targetClass) : OwnTransaction.NEVER;
            this.methods.put(key, known);
        }
        return known == OwnTransaction.ALWAYS
                || known == OwnTransaction.UNLESS_JOINED
                        && !TransactionSynchronizationManager.isActualTransactionActive();
    }

    private OwnTransaction ownTransaction(Method method, @Nullable Class<?> targetClass) {
        TransactionAttribute attribute = this.attributes.get().getTransactionAttribute(method, targetClass);
        if (attribute == null || !attribute.isReadOnly()) {
            return OwnTransaction.NEVER;
        }
        return switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRED -> OwnTransaction.UNLESS_JOINED;
            case TransactionDefinition.PROPAGATION_REQUIRES_NEW -> OwnTransaction.ALWAYS;
            default -> OwnTransaction.NEVER;
        };
    }

    static boolean handsNothingOut(Method method) {
        Class<?> result = method.getReturnType();
        boolean nothing = result == void.class || result == Void.class;
        return !isLate(result)
                && Arrays.stream(method.getParameterTypes())
                        .noneMatch(type -> takesRows(type) || nothing && !BeanUtils.isSimpleValueType(type));
    }

    /** Whether what is returned may deliver, or be delivered, after the method. */
    private static boolean isLate(Class<?> type) {
        return AutoCloseable.class.isAssignableFrom(type)
                || Iterator.class.isAssignableFrom(type)
                || Spliterator.class.isAssignableFrom(type)
                || Enumeration.class.isAssignableFrom(type)
                || Future.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || type != Object.class
                        && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    /** Whether rows can be handed to a parameter while the method runs. */
    private static boolean takesRows(Class<?> type) {
        return type.isArray() && takesRows(type.getComponentType())
                || OutputStream.class.isAssignableFrom(type)
                || Writer.class.isAssignableFrom(type)
                || Appendable.class.isAssignableFrom(type)
                || Collector.class.isAssignableFrom(type)
                || type.getName().equals(COROUTINE)
                || type.isInterface() && isCallback(type);
    }

    private static boolean isCallback(Class<?> type) {
        return type != Iterable.class
                && type != Comparable.class
                && Arrays.stream(type.getMethods())
                                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                                .filter(method -> !ReflectionUtils.isObjectMethod(method))
                                .count()
                        == 1;
    }
}
