/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessScope;
import dev.freshness.InvalidFreshnessContractException;
import dev.freshness.OnUnmet;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MethodScopesTests {

    private static final UUID SOME_UUID = UUID.fromString("6a2f41a3-c54c-fce8-32d2-0324e1c32e22");

    private final ContractSource source = new ContractSource(
            () -> new ContractDefaults(Duration.ofSeconds(30), Duration.ofMillis(50), OnUnmet.WRITER, true),
            () -> ContractOverrides.NONE,
            text -> text);

    /** A call, and nothing behind it. */
    private static final class Call implements MethodInvocation {

        private final Method method;

        private final Object target;

        private final @Nullable Object[] arguments;

        Call(Method method, Object target, @Nullable Object... arguments) {
            this.method = method;
            this.target = target;
            this.arguments = arguments;
        }

        @Override
        public Method getMethod() {
            return this.method;
        }

        @Override
        public @Nullable Object[] getArguments() {
            return this.arguments;
        }

        @Override
        public @Nullable Object proceed() {
            return null;
        }

        @Override
        public Object getThis() {
            return this.target;
        }

        @Override
        public AccessibleObject getStaticPart() {
            return this.method;
        }
    }

    /** An entity. */
    public static final class Profile {

        private final @Nullable Long id;

        Profile(@Nullable Long id) {
            this.id = id;
        }

        public @Nullable Long getId() {
            return this.id;
        }

        public int getBroken() {
            return Integer.parseInt("secret");
        }
    }

    @SuppressWarnings("unused")
    private static void one(Object id) {}

    private static final Method ONE = method(MethodScopesTests.class, "one");

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name) && !method.isBridge())
                .findFirst()
                .orElseThrow();
    }

    private @Nullable String evaluate(String expression, @Nullable Object argument) {
        return ScopeExpression.parse(expression, ONE, "here").evaluate(new Call(ONE, this, argument));
    }

    public String getTenant() {
        return "north";
    }

    static Stream<Arguments> names() {
        return Stream.of(
                Arguments.of("'profile:' + #id", 7, "profile:7"),
                Arguments.of("'profile:' + #id", 7L, "profile:7"),
                Arguments.of("'profile:' + #p0", 7, "profile:7"),
                Arguments.of("'profile:' + #a0", 7, "profile:7"),
                Arguments.of("#id", "x", "x"),
                Arguments.of("#id", SOME_UUID, SOME_UUID.toString()),
                Arguments.of("#id", TimeUnit.DAYS, "DAYS"),
                Arguments.of("'t:' + #id", TimeUnit.DAYS, "t:DAYS"),
                Arguments.of("#id", true, "true"),
                Arguments.of("#id", 'c', "c"),
                Arguments.of("#id", new BigDecimal("7.0"), "7.0"),
                Arguments.of("'a:' + #id + ':b'", 7, "a:7:b"),
                Arguments.of("#id + ':' + #id", SOME_UUID, SOME_UUID + ":" + SOME_UUID),
                Arguments.of("'invoice:' + (#id + 1)", 7, "invoice:8"),
                Arguments.of("#id + 1", 7, "8"),
                Arguments.of("'profile:' + #id.id", new Profile(7L), "profile:7"),
                Arguments.of("'profile:' + #id[0]", List.of(7), "profile:7"),
                Arguments.of("'profile:' + #id[key]", Map.of("key", 7), "profile:7"),
                Arguments.of("'profile:' + #id.![id][0]", List.of(new Profile(7L)), "profile:7"),
                Arguments.of("#id == 7 ? 'seven' : 'profile:' + #id", 8, "profile:8"),
                Arguments.of("#id.toString()", 7, "7"),
                Arguments.of("'m:' + #root.methodName + #root.args[0]", 7, "m:one7"),
                Arguments.of("'tenant:' + #root.target.tenant + ':' + #id", 7, "tenant:north:7"),
                Arguments.of("'tenant:' + target.tenant", 7, "tenant:north"),
                Arguments.of("'settings'", 7, "settings"),
                Arguments.of("'set' + 'tings'", 7, "settings"));
    }

    @ParameterizedTest
    @MethodSource
    void names(String expression, Object argument, String name) {
        assertThat(evaluate(expression, argument)).isEqualTo(name);
    }

    static Stream<Arguments> whatCannotBeKnownIsNotGuessed() {
        return Stream.of(
                Arguments.of("#id", null),
                Arguments.of("#id", ""),
                Arguments.of("'profile:' + #id", null),
                Arguments.of("#id + ':profile'", null),
                Arguments.of("'a:' + #id + ':b'", null),
                Arguments.of("'a:' + ('b:' + #id)", null),
                Arguments.of("'profile:' + #id.id", new Profile(null)),
                Arguments.of("'profile:' + #id?.id", null),
                Arguments.of("'profile:' + #id[key]", Map.of()));
    }

    @ParameterizedTest
    @MethodSource
    void whatCannotBeKnownIsNotGuessed(String expression, @Nullable Object argument) {
        assertThat(evaluate(expression, argument)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'profile:' +                | is no expression",
                "profile:#id                 | is no expression",
                "${profile}                  | is no expression",
                "\"\"                         | is no expression",
                "\" \"                        | is no expression",
                "'profile:' + #ide           | #ide names no parameter; there is #id",
                "'profile:' + #profile.id    | #profile names no parameter; there is #id",
                "'profile:' + #p1            | #p1 names no parameter; there is #id",
                "#id == 7 ? 'x' : #other     | #other names no parameter; there is #id",
                "#id.equals(#other) ? 1 : 2  | #other names no parameter; there is #id",
                "'profile:' + id             | write 'id' in quotes for a text, #id for a parameter",
                "settings                    | write 'settings' in quotes for a text",
                "#id.equals(id) ? 1 : 2      | id names nothing",
                "name()                      | calls nothing that is there",
                "#name(#id)                  | calls nothing that is there",
                "@tenants.current            | names a bean",
                "null                        | names nothing",
                "''                          | names nothing"
            })
    void wrongExpressionsAreRefusedBeforeAnyCall(String expression, String message) {
        assertThatThrownBy(() -> ScopeExpression.parse(expression, ONE, "@FreshnessScope on here"))
                .isInstanceOf(InvalidFreshnessContractException.class)
                .hasMessageContaining("@FreshnessScope on here: scope \"" + expression + "\"")
                .hasMessageContaining(message);
    }

    static Stream<Arguments> failuresNameTheExpressionAndNoArgument() {
        return Stream.of(
                Arguments.of("'profile:' + #id", new Profile(7L), "comes to a " + Profile.class.getName()),
                Arguments.of("#id", LocalDate.EPOCH, "comes to a java.time.LocalDate"),
                Arguments.of("#id", List.of("secret"), "which is no text, number"),
                Arguments.of("'profile:' + #id.broken", new Profile(7L), "could not be evaluated"),
                Arguments.of("'profile:' + #id.missing", new Profile(7L), "could not be evaluated"),
                Arguments.of("'profile:' + #id.id", null, "could not be evaluated"),
                Arguments.of("#id - 1", "secret", "could not be evaluated"));
    }

    @ParameterizedTest
    @MethodSource
    void failuresNameTheExpressionAndNoArgument(String expression, @Nullable Object argument, String message) {
        assertThatThrownBy(() -> evaluate(expression, argument))
                .isInstanceOf(InvalidFreshnessContractException.class)
                .hasMessageContaining("here: scope \"" + expression + "\"")
                .hasMessageContaining(message)
                .hasMessageNotContaining("secret");
    }

    @Test
    void whereNamesOfParametersAreNotKnownTheirPlacesAre() {
        Method compare = method(Comparator.class, "compare");
        assertThatThrownBy(() -> ScopeExpression.parse("#o1", compare, "here"))
                .hasMessageContaining("compile with -parameters, or write #p0");
        assertThat(ScopeExpression.parse("'a:' + #p1", compare, "here").evaluate(new Call(compare, this, 1, 2)))
                .isEqualTo("a:2");
    }

    private MethodScopes.@Nullable Named named(Class<?> type, String name, @Nullable Object... arguments) {
        Method method = method(type, name);
        MethodScopes scopes = this.source.contract(method, type).scopes();
        return scopes == null ? null : scopes.of(new Call(method, this, arguments));
    }

    @Test
    void aReadsScopeIsItsWritesScopeUnlessOneIsNamed() {
        assertThat(named(Profiles.class, "load", 7)).isEqualTo(new MethodScopes.Named("profile:7", "profile:7"));
        assertThat(named(Profiles.class, "transfer", 7, 8)).isEqualTo(new MethodScopes.Named("profile:7", "profile:8"));
        assertThat(named(Profiles.class, "list")).isNull();
        assertThat(named(Profiles.class, "append", 7)).isEqualTo(new MethodScopes.Named(null, "profile:7"));
    }

    @Test
    void aMethodThatOnlyNamesItsWritesStatesNoContract() {
        MethodContract rename = this.source.contract(method(Profiles.class, "rename"), Profiles.class);
        assertThat(rename.contract()).isNull();
        assertThat(named(Profiles.class, "rename", 7)).isEqualTo(new MethodScopes.Named(null, "profile:7"));
        assertThat(named(Profiles.class, "rename", (Object) null)).isEqualTo(new MethodScopes.Named(null, null));
    }

    @Test
    void mayBePutOnAnAnnotation() {
        assertThat(named(Profiles.class, "archive", 7)).isEqualTo(new MethodScopes.Named(null, "profile:7"));
    }

    @Test
    void theParametersAreThoseOfTheMethodThatTheAnnotationStandsOn() {
        assertThat(named(ProfileService.class, "find", 7)).isEqualTo(new MethodScopes.Named("profile:7", "profile:7"));
    }

    @Test
    void isFoundOnInterfacesOfJdkProxies() {
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Finder.class}, (self, method, arguments) -> null);
        Method find = method(Finder.class, "find");
        MethodScopes scopes = this.source.contract(find, proxy.getClass()).scopes();
        assertThat(scopes.of(new Call(find, proxy, 7)).read()).isEqualTo("profile:7");
        Method save = method(Finder.class, "save");
        assertThat(this.source
                        .contract(save, proxy.getClass())
                        .scopes()
                        .of(new Call(save, proxy, 7))
                        .written())
                .isEqualTo("profile:7");
    }

    @Test
    void aClassesScopeGoesForItsMethods() {
        assertThat(named(Settings.class, "read")).isEqualTo(new MethodScopes.Named("settings", "settings"));
    }

    @Test
    void theBootIsStoppedNamingClassMethodAndExpression() {
        assertThatThrownBy(() -> this.source.contract(method(Wrong.class, "load"), Wrong.class))
                .isInstanceOf(InvalidFreshnessContractException.class)
                .hasMessage("@Freshness on " + Wrong.class.getName()
                        + ".load: scope \"'profile:' + #id\": #id names no parameter; there is #profileId");
        assertThatThrownBy(() -> this.source.contract(method(Wrong.class, "rename"), Wrong.class))
                .isInstanceOf(InvalidFreshnessContractException.class)
                .hasMessageStartingWith("@FreshnessScope on " + Wrong.class.getName() + ".rename: scope \"#id\"")
                .hasMessageEndingWith("there is none");
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @FreshnessScope("'profile:' + #id")
    @interface OfProfile {}

    static class Profiles {

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, scope = "'profile:' + #id")
        public void load(int id) {}

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, scope = "'profile:' + #from")
        @FreshnessScope("'profile:' + #to")
        public void transfer(int from, int to) {}

        @Freshness(FreshnessMode.READ_YOUR_WRITES)
        public void list() {}

        @Freshness(FreshnessMode.READ_YOUR_WRITES)
        @FreshnessScope("'profile:' + #id")
        public void append(int id) {}

        @FreshnessScope("'profile:' + #id")
        public void rename(@Nullable Integer id) {}

        @OfProfile
        public void archive(int id) {}
    }

    interface Finder {

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, scope = "'profile:' + #id")
        void find(int id);

        @FreshnessScope("'profile:' + #id")
        void save(int id);
    }

    static class ProfileService implements Finder {

        @Override
        public void find(int renamed) {}

        @Override
        public void save(int renamed) {}
    }

    @Freshness(value = FreshnessMode.READ_YOUR_WRITES, scope = "'settings'")
    static class Settings {

        public void read() {}
    }

    static class Wrong {

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, scope = "'profile:' + #id")
        public void load(int profileId) {}

        @FreshnessScope("#id")
        public void rename() {}
    }
}
