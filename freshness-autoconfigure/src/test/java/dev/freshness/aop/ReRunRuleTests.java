/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Collector;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

class ReRunRuleTests {

    private final ReRunRule rule = new ReRunRule(AnnotationTransactionAttributeSource::new);

    private static Stream<String> methods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(method -> method.getName());
    }

    static Stream<String> repeatable() {
        return methods(Repeatable.class);
    }

    static Stream<String> notRepeatable() {
        return methods(NotRepeatable.class);
    }

    private boolean allows(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .allMatch(method -> this.rule.allows(method, type));
    }

    @ParameterizedTest
    @MethodSource
    void repeatable(String method) {
        assertThat(allows(Repeatable.class, method)).isTrue();
    }

    @ParameterizedTest
    @MethodSource
    void notRepeatable(String method) {
        assertThat(allows(NotRepeatable.class, method)).isFalse();
    }

    @Transactional(readOnly = true)
    interface Repeatable {

        List<String> list(Iterable<Integer> ids, Comparable<String> from, CharSequence text, List<String> names);

        Object[] array(int[] ids);

        Iterable<String> iterable();

        void check(int id, String name);

        @Transactional(readOnly = true, propagation = Propagation.REQUIRES_NEW)
        String inNewTransaction();
    }

    @Transactional(readOnly = true)
    interface NotRepeatable {

        @Transactional
        String mayWrite();

        @Transactional(readOnly = true, propagation = Propagation.SUPPORTS)
        String needsNoTransaction();

        @Transactional(readOnly = true, propagation = Propagation.MANDATORY)
        String joins();

        Stream<String> stream();

        Iterator<String> iterator();

        CompletableFuture<String> future();

        Flow.Publisher<String> publisher();

        InputStream inputStream();

        @Nullable
        String callback(Consumer<String> rows);

        @Nullable
        String callbacks(Runnable... steps);

        @Nullable
        String outputStream(OutputStream out);

        @Nullable
        String appendable(StringBuilder text);

        @Nullable
        String collector(Collector<String, ?, List<String>> collector);

        void fill(Map<String, String> target);
    }
}
