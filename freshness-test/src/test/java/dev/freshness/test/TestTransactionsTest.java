/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.TestContextManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ReflectionUtils;

@ExtendWith(OutputCaptureExtension.class)
class TestTransactionsTest {

    private static Method method(Class<?> type, String name) {
        Method method = ReflectionUtils.findMethod(type, name);
        assertThat(method).isNotNull();
        return method;
    }

    private static Optional<AnnotatedElement> of(Class<?> type, String name) {
        return TestTransactions.of(type, method(type, name));
    }

    @Test
    void aTransactionIsFoundWhereverItIsAskedFor() {
        assertThat(of(OnMethod.class, "transactional")).contains(method(OnMethod.class, "transactional"));
        assertThat(of(OnClass.class, "plain")).contains(OnClass.class);
        assertThat(of(Sub.class, "plain")).contains(Sub.class);
        assertThat(of(OnClass.Inner.class, "plain")).contains(OnClass.Inner.class);
        assertThat(of(Slice.class, "plain")).contains(Slice.class);
    }

    @Test
    void withoutOneNothingIsFound() {
        assertThat(of(OnMethod.class, "plain")).isEmpty();
        assertThat(of(OnMethod.class, "without")).isEmpty();
        assertThat(of(OnClass.class, "without")).isEmpty();
    }

    /** By the listener alone: with the others a cluster and a context would be needed. */
    @Test
    void eachIsSaidOnceAndOnlyWhereThereAreReplicas(CapturedOutput output) {
        before(OnReplicas.class, "plain", "plain", "transactional", "transactional", "plain");
        assertThat(output.toString().lines().filter(line -> line.contains("@Transactional")))
                .hasSize(2)
                .allMatch(line -> line.contains("WARN"))
                .anyMatch(line -> line.contains("on " + OnReplicas.class + ": "))
                .anyMatch(line -> line.contains("OnReplicas.transactional(): "));
    }

    @Test
    void nothingIsSaidToTestsWithoutReplicas(CapturedOutput output) {
        before(OnClass.class, "plain");
        assertThat(output).doesNotContain("@Transactional");
    }

    private static void before(Class<?> type, String... methods) {
        TestContextManager manager = new TestContextManager(type);
        ReplicatedPostgresTestExecutionListener listener = manager.getTestExecutionListeners().stream()
                .filter(ReplicatedPostgresTestExecutionListener.class::isInstance)
                .map(ReplicatedPostgresTestExecutionListener.class::cast)
                .findFirst()
                .orElseThrow();
        for (String method : methods) {
            manager.getTestContext().updateState(manager, method(type, method), null);
            listener.beforeTestMethod(manager.getTestContext());
        }
    }

    @ReplicatedPostgresTest
    @Transactional
    static class OnReplicas {

        @Transactional
        void transactional() {}

        void plain() {}
    }

    static class OnMethod {

        @Transactional(readOnly = true)
        void transactional() {}

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        void without() {}

        void plain() {}
    }

    @Transactional
    static class OnClass {

        @Transactional(propagation = Propagation.NEVER)
        void without() {}

        void plain() {}

        class Inner {

            void plain() {
                OnClass.this.plain();
            }
        }
    }

    static class Sub extends OnClass {

        @Override
        void plain() {}
    }

    @Transactional
    @Retention(RetentionPolicy.RUNTIME)
    @interface SliceTest {}

    @SliceTest
    static class Slice {

        void plain() {}
    }
}
