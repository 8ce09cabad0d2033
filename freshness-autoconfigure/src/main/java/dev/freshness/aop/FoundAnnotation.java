/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotationSelectors;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ClassUtils;

/**
 * An annotation that goes for a method.
 *
 * @param annotation the annotation, with what annotations of annotations say
 * @param method the method it stands on, null if it is on a type
 * @param <A> its type
 */
record FoundAnnotation<A extends Annotation>(
        A annotation, @Nullable Method method) {

    /** On a method, or on what it overrides or implements. */
    static <A extends Annotation> @Nullable FoundAnnotation<A> onMethod(Class<A> type, Method specific) {
        return on(type, specific);
    }

    /** On a method, else on its class, else on the interface that declares it. */
    static <A extends Annotation> @Nullable FoundAnnotation<A> onMethodOrType(
            Class<A> type, Method method, Method specific, Class<?> userClass) {
        FoundAnnotation<A> found = onMethod(type, specific);
        if (found == null && ClassUtils.isUserLevelMethod(method)) {
            found = on(type, userClass);
            if (found == null && !specific.equals(method)) {
                found = on(type, method.getDeclaringClass());
            }
        }
        return found;
    }

    private static <A extends Annotation> @Nullable FoundAnnotation<A> on(Class<A> type, AnnotatedElement element) {
        MergedAnnotation<A> merged = MergedAnnotations.from(
                        element, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.none())
                .get(type, null, MergedAnnotationSelectors.firstDirectlyDeclared());
        if (!merged.isPresent()) {
            return null;
        }
        return new FoundAnnotation<>(
                merged.synthesize(), merged.getSource() instanceof Method declaring ? declaring : null);
    }

    /** The method whose parameters the annotation speaks of: where it stands, if their names are known there. */
    Method parameters(Method specific, Method called) {
        if (this.method != null && areNamesKnown(this.method)) {
            return this.method;
        }
        return areNamesKnown(specific) ? specific : called;
    }

    private static boolean areNamesKnown(Method method) {
        return ScopeExpression.PARAMETER_NAMES.getParameterNames(method) != null;
    }
}
