/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.Freshness;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.InvalidFreshnessContractException;
import dev.freshness.OnUnmet;
import dev.freshness.RerunOnConflict;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.ReflectionUtils;

class ContractSourceTests {

    private final ContractSource source = new ContractSource(
            () -> new ContractDefaults(Duration.ofSeconds(30), Duration.ofMillis(50), OnUnmet.WRITER, true),
            () -> ContractOverrides.NONE,
            text -> text.replace("${catalog.bound}", "7s")
                    .replace("${empty}", "")
                    .replace("${number}", " 7 "));

    private @Nullable FreshnessContract contract(Class<?> type, String method) {
        MethodContract found = this.source.contract(ReflectionUtils.findMethod(type, method), type);
        return found == null ? null : found.contract();
    }

    @Test
    void methodReplacesClass() {
        assertThat(contract(OnClass.class, "other").mode()).isEqualTo(FreshnessMode.EVENTUAL);
        FreshnessContract contract = contract(OnClass.class, "strict");
        assertThat(contract.mode()).isEqualTo(FreshnessMode.AUTHORITATIVE_NOW);
        assertThat(contract.maxStaleness()).isEqualTo(Duration.ofSeconds(30));
        assertThat(contract.declaredBy()).endsWith("OnClass.strict");
    }

    @Test
    void isInheritedFromSuperclassesAndInterfaces() {
        assertThat(contract(Sub.class, "other").mode()).isEqualTo(FreshnessMode.EVENTUAL);
        assertThat(contract(Sub.class, "strict").mode()).isEqualTo(FreshnessMode.AUTHORITATIVE_NOW);
        assertThat(contract(Implementation.class, "read").mode()).isEqualTo(FreshnessMode.READ_YOUR_WRITES);
        assertThat(contract(Implementation.class, "list").mode()).isEqualTo(FreshnessMode.EVENTUAL);
        assertThat(contract(Implementation.class, "own").mode()).isEqualTo(FreshnessMode.EVENTUAL);
    }

    @Test
    void isFoundOnInterfacesOfJdkProxies() throws NoSuchMethodException {
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Marked.class}, (self, method, arguments) -> null);
        assertThat(this.source
                        .contract(Marked.class.getMethod("read"), proxy.getClass())
                        .contract()
                        .mode())
                .isEqualTo(FreshnessMode.READ_YOUR_WRITES);
        assertThat(this.source
                        .contract(Marked.class.getMethod("list"), proxy.getClass())
                        .contract()
                        .mode())
                .isEqualTo(FreshnessMode.EVENTUAL);
    }

    @Test
    void theAnnotationSaysBeforeThePropertyWhetherToRunAgain() {
        for (boolean property : new boolean[] {true, false}) {
            ContractSource source = new ContractSource(
                    () -> new ContractDefaults(Duration.ofSeconds(30), Duration.ofMillis(50), OnUnmet.WRITER, property),
                    () -> ContractOverrides.NONE,
                    text -> text);
            assertThat(rerun(source, "byProperty")).isEqualTo(property);
            assertThat(rerun(source, "always")).isTrue();
            assertThat(rerun(source, "never")).isFalse();
        }
    }

    private static boolean rerun(ContractSource source, String method) {
        return source.contract(ReflectionUtils.findMethod(Repeated.class, method), Repeated.class)
                .rerunOnConflict();
    }

    @Freshness(FreshnessMode.EVENTUAL)
    interface Repeated {

        void byProperty();

        @Freshness(value = FreshnessMode.EVENTUAL, rerunOnConflict = RerunOnConflict.TRUE)
        void always();

        @Freshness(value = FreshnessMode.EVENTUAL, rerunOnConflict = RerunOnConflict.FALSE)
        void never();
    }

    @Test
    void mayBePutOnAnAnnotation() {
        FreshnessContract contract = contract(Meta.class, "read");
        assertThat(contract.mode()).isEqualTo(FreshnessMode.EVENTUAL);
        assertThat(contract.maxStaleness()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void leavesObjectMethodsAndUnmarkedMethodsAlone() {
        assertThat(contract(OnClass.class, "hashCode")).isNull();
        assertThat(contract(Unmarked.class, "read")).isNull();
    }

    @Test
    void resolvesPlaceholders() {
        assertThat(contract(Members.class, "placeholder").maxStaleness()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void readsIsoDurations() {
        assertThat(contract(Members.class, "iso").maxStaleness()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void monotonicReadsMayWait() {
        FreshnessContract contract = contract(Members.class, "monotonicWait");
        assertThat(contract.waitBudget()).isEqualTo(Duration.ofSeconds(1));
        assertThat(contract.monotonic()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "soon, maxStaleness \"soon\" is not a duration",
        "noUnit, maxStaleness \"5\" has no unit",
        "noUnitAtPlaceholder, maxStaleness \" 7 \" has no unit",
        "noUnitToWait, waitBudget \"50\" has no unit",
        "eventualWait, waitBudget is allowed only with READ_YOUR_WRITES",
        "negative, maxStaleness must be more than zero",
        "zero, maxStaleness must be more than zero",
        "nothing, resolves to nothing",
        "staleWrites, STALE is allowed only with EVENTUAL",
        "bounded, maxStaleness is not allowed with AUTHORITATIVE_NOW"
    })
    void refusesValuesNamingClassAndMethod(String method, String message) {
        assertThatThrownBy(() -> contract(Members.class, method))
                .isInstanceOf(InvalidFreshnessContractException.class)
                .hasMessageContaining(Members.class.getName() + "." + method)
                .hasMessageContaining(message);
    }

    @Freshness(FreshnessMode.EVENTUAL)
    static class OnClass {

        public void other() {}

        @Freshness(FreshnessMode.AUTHORITATIVE_NOW)
        public void strict() {}
    }

    static class Sub extends OnClass {}

    @Freshness(FreshnessMode.EVENTUAL)
    interface Marked {

        @Freshness(FreshnessMode.READ_YOUR_WRITES)
        void read();

        void list();
    }

    static class Implementation implements Marked {

        @Override
        public void read() {}

        @Override
        public void list() {}

        public void own() {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "5s")
    @interface Catalog {}

    static class Meta {

        @Catalog
        public void read() {}
    }

    static class Unmarked {

        public void read() {}
    }

    static class Members {

        @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "${catalog.bound}")
        public void placeholder() {}

        @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "soon")
        public void soon() {}

        @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "5")
        public void noUnit() {}

        @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "${number}")
        public void noUnitAtPlaceholder() {}

        @Freshness(value = FreshnessMode.EVENTUAL, waitBudget = "1s")
        public void eventualWait() {}

        @Freshness(value = FreshnessMode.EVENTUAL, monotonic = true, waitBudget = "1s")
        public void monotonicWait() {}

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "50")
        public void noUnitToWait() {}

        @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "pt5s")
        public void iso() {}

        @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "-5s")
        public void negative() {}

        @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "0s")
        public void zero() {}

        @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "${empty}")
        public void nothing() {}

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, onUnmet = OnUnmet.STALE)
        public void staleWrites() {}

        @Freshness(value = FreshnessMode.AUTHORITATIVE_NOW, maxStaleness = "5s")
        public void bounded() {}
    }
}
