/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.Freshness;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessScope;
import dev.freshness.InvalidFreshnessContractException;
import dev.freshness.OnUnmet;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * Finds and reads {@link Freshness}: the method of the class first, then the class, then the interface's method and the
 * interface; annotations of annotations included. And {@link FreshnessScope}, on methods only. Each method is read once.
 *
 * <p>Thread-safe.
 */
final class ContractSource {

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

    private static final String EXAMPLES = "write for example \"5s\", \"500ms\" or \"PT1M\"";

    private final Supplier<ContractDefaults> defaults;

    private final StringValueResolver placeholders;

    private final Supplier<ContractOverrides> overrides;

    private final ConcurrentMap<MethodClassKey, Optional<MethodContract>> contracts = new ConcurrentHashMap<>();

    private final Set<DeclaredContract> declared = ConcurrentHashMap.newKeySet();

    ContractSource(
            Supplier<ContractDefaults> defaults,
            Supplier<ContractOverrides> overrides,
            StringValueResolver placeholders) {
        this.defaults = defaults;
        this.overrides = overrides;
        this.placeholders = placeholders;
    }

    /** The contracts that were read so far, by name. */
    List<DeclaredContract> declared() {
        return this.declared.stream().sorted(DeclaredContract.BY_NAME).toList();
    }

    /**
     * What the annotations of a method say, null if it has none.
     *
     * @throws InvalidFreshnessContractException if an annotation holds a value that is not allowed
     */
    @Nullable
    MethodContract contract(Method method, @Nullable Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class) {
            return null;
        }
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<MethodContract> known = this.contracts.get(key);
        if (known == null) {
            known = Optional.ofNullable(find(method, targetClass));
            this.contracts.put(key, known);
        }
        return known.orElse(null);
    }

    private @Nullable MethodContract find(Method method, @Nullable Class<?> targetClass) {
        Class<?> userClass = targetClass == null ? method.getDeclaringClass() : ClassUtils.getUserClass(targetClass);
        Method specific = AopUtils.getMostSpecificMethod(method, userClass);
        if (specific.getDeclaringClass() == Object.class) {
            return null;
        }
        FoundAnnotation<Freshness> freshness =
                FoundAnnotation.onMethodOrType(Freshness.class, method, specific, userClass);
        FoundAnnotation<FreshnessScope> scope = FoundAnnotation.onMethod(FreshnessScope.class, specific);
        if (freshness == null && scope == null) {
            return null;
        }
        MethodScopes scopes = scopes(freshness, scope, userClass, specific, method);
        return freshness == null
                ? new MethodContract(null, false, scopes)
                : read(freshness.annotation(), userClass, specific, scopes);
    }

    private static @Nullable MethodScopes scopes(
            @Nullable FoundAnnotation<Freshness> freshness,
            @Nullable FoundAnnotation<FreshnessScope> scope,
            Class<?> userClass,
            Method specific,
            Method called) {
        String name = userClass.getName() + "." + specific.getName();
        ScopeExpression reads =
                freshness == null || freshness.annotation().scope().isEmpty()
                        ? null
                        : ScopeExpression.parse(
                                freshness.annotation().scope(),
                                freshness.parameters(specific, called),
                                "@Freshness on " + name);
        ScopeExpression writes = scope == null
                ? reads
                : ScopeExpression.parse(
                        scope.annotation().value(), scope.parameters(specific, called), "@FreshnessScope on " + name);
        return writes == null ? null : new MethodScopes(reads, writes);
    }

    private MethodContract read(
            Freshness annotation, Class<?> userClass, Method method, @Nullable MethodScopes scopes) {
        String where = ClassUtils.getShortName(userClass) + "." + method.getName();
        try {
            FreshnessMode mode = annotation.value();
            Duration maxStaleness = maxStaleness(annotation, mode);
            Duration waitBudget = waitBudget(annotation, mode);
            OnUnmet onUnmet = annotation.onUnmet() == OnUnmet.DEFAULT
                    ? this.defaults.get().onUnmet()
                    : annotation.onUnmet();
            FreshnessContract contract = new FreshnessContract(
                    mode,
                    maxStaleness,
                    waitBudget,
                    onUnmet,
                    annotation.monotonic(),
                    annotation.priority(),
                    Set.of(),
                    where);
            boolean rerun = switch (annotation.rerunOnConflict()) {
                case TRUE -> true;
                case FALSE -> false;
                case DEFAULT -> this.defaults.get().rerunOnConflict();
            };
            ContractOverrides.Named override = this.overrides.get().of(userClass, method.getName());
            if (override != null) {
                contract = overridden(contract, override);
            }
            this.declared.add(new DeclaredContract(
                    userClass.getName(), method.getName(), contract, rerun, scopes != null, override != null));
            return new MethodContract(contract, rerun, scopes);
        } catch (IllegalArgumentException ex) {
            throw new InvalidFreshnessContractException(
                    "@Freshness on " + userClass.getName() + "." + method.getName() + ": " + ex.getMessage(), ex);
        }
    }

    private static FreshnessContract overridden(FreshnessContract contract, ContractOverrides.Named override) {
        try {
            return override.override().applyTo(contract);
        } catch (IllegalArgumentException ex) {
            throw new IllegalArgumentException("with " + override.property() + ", " + ex.getMessage(), ex);
        }
    }

    private Duration maxStaleness(Freshness annotation, FreshnessMode mode) {
        if (annotation.maxStaleness().isEmpty()) {
            return this.defaults.get().maxStaleness();
        }
        if (mode == FreshnessMode.AUTHORITATIVE_NOW) {
            throw new IllegalArgumentException("maxStaleness is not allowed with AUTHORITATIVE_NOW");
        }
        return duration("maxStaleness", annotation.maxStaleness());
    }

    private Duration waitBudget(Freshness annotation, FreshnessMode mode) {
        if (annotation.waitBudget().isEmpty()) {
            return this.defaults.get().waitBudget();
        }
        boolean waits =
                mode == FreshnessMode.READ_YOUR_WRITES || mode == FreshnessMode.EVENTUAL && annotation.monotonic();
        if (!waits) {
            throw new IllegalArgumentException(
                    "waitBudget is allowed only with READ_YOUR_WRITES, or EVENTUAL and monotonic, was " + mode);
        }
        return duration("waitBudget", annotation.waitBudget());
    }

    private Duration duration(String member, String value) {
        String text = this.placeholders.resolveStringValue(value);
        if (!StringUtils.hasText(text)) {
            throw new IllegalArgumentException(member + " \"" + value + "\" resolves to nothing");
        }
        if (NUMBER.matcher(text.strip()).matches()) {
            // Spring would take milliseconds, and who writes it most often means seconds.
            throw new IllegalArgumentException(member + " \"" + text + "\" has no unit; " + EXAMPLES);
        }
        try {
            return DurationStyle.detectAndParse(text.strip());
        } catch (IllegalArgumentException ex) {
            throw new IllegalArgumentException(member + " \"" + text + "\" is not a duration; " + EXAMPLES, ex);
        }
    }
}
