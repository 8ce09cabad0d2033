/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Finds the transaction that Spring opens around a test method. It begins before any contract is in force, so it is on the
 * writer, and every read of the test with it: the test is green and shows nothing.
 *
 * <p>Annotations are found by name, since a test need not have transactions on its class path. Thread-safe.
 */
final class TestTransactions {

    private static final Logger logger = LoggerFactory.getLogger(TestTransactions.class);

    private static final List<String> ANNOTATIONS =
            List.of("org.springframework.transaction.annotation.Transactional", "jakarta.transaction.Transactional");

    /** By its own propagation a test says that it wants none. */
    private static final Set<String> NONE = Set.of("NOT_SUPPORTED", "NEVER");

    private TestTransactions() {}

    /**
     * Who asks for the transaction around a test method.
     *
     * @param testClass the class of the test
     * @param method the test method
     * @return the method or class; empty if there is no such transaction
     */
    static Optional<AnnotatedElement> of(Class<?> testClass, Method method) {
        MergedAnnotations onMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        if (ANNOTATIONS.stream().anyMatch(onMethod::isPresent)) {
            return Optional.<AnnotatedElement>of(method).filter(any -> opens(onMethod));
        }
        MergedAnnotations onClass = MergedAnnotations.search(SearchStrategy.TYPE_HIERARCHY)
                .withEnclosingClasses(TestContextAnnotationUtils::searchEnclosingClass)
                .from(testClass);
        return Optional.<AnnotatedElement>of(testClass).filter(any -> opens(onClass));
    }

    private static boolean opens(MergedAnnotations annotations) {
        return ANNOTATIONS.stream()
                .map(annotations::get)
                .filter(MergedAnnotation::isPresent)
                .findFirst()
                .filter(annotation -> !NONE.contains(propagation(annotation)))
                .isPresent();
    }

    /** Spring's annotation has it as {@code propagation}, Jakarta's as {@code value}. */
    private static String propagation(MergedAnnotation<?> annotation) {
        return annotation
                .getValue("propagation")
                .or(() -> annotation.getValue("value"))
                .map(Object::toString)
                .orElse("");
    }

    static void warn(AnnotatedElement test) {
        logger.warn(
                "@Transactional on {}: its transaction begins before any contract, so every read in it is on the"
                        + " writer and shows nothing about contracts",
                test);
    }
}
