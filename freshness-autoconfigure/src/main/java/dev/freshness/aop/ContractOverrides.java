/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The contracts that properties change, by class and method: {@code freshness.contracts.<class>.<method>.*}. A class is named
 * as in code, with or without its package. Upper case and dashes do not count, so that an environment variable can name one.
 *
 * <p>Thread-safe.
 */
public final class ContractOverrides {

    /** Changes nothing. */
    public static final ContractOverrides NONE = new ContractOverrides(Map.of());

    private final Map<String, ContractOverride> overrides = new LinkedHashMap<>();

    private final Map<String, String> properties = new LinkedHashMap<>();

    private final Set<String> used = ConcurrentHashMap.newKeySet();

    /**
     * Creates them.
     *
     * @param overrides by class and by method
     */
    public ContractOverrides(Map<String, Map<String, ContractOverride>> overrides) {
        overrides.forEach((type, methods) -> methods.forEach((method, override) -> {
            String key = key(type, method);
            // The same method by two spellings: what has come first is of the source that wins.
            this.overrides.merge(key, override, ContractOverride::or);
            this.properties.putIfAbsent(key, "freshness.contracts." + type + "." + method);
        }));
    }

    /** What properties say of a method, null if nothing. */
    @Nullable
    Named of(Class<?> type, String method) {
        if (this.overrides.isEmpty()) {
            return null;
        }
        for (String name : new String[] {type.getName(), ClassUtils.getShortName(type), type.getSimpleName()}) {
            String key = key(name, method);
            ContractOverride override = this.overrides.get(key);
            if (override != null) {
                this.used.add(key);
                return new Named(this.properties.getOrDefault(key, key), override);
            }
        }
        return null;
    }

    /**
     * The properties that name no method whose contract was read so far.
     *
     * @return such as {@code freshness.contracts.ProfileService.load}, in alphabetical order
     */
    public Set<String> unused() {
        Set<String> unused = new TreeSet<>();
        this.properties.forEach((key, property) -> {
            if (!this.used.contains(key)) {
                unused.add(property);
            }
        });
        return unused;
    }

    private static String key(String type, String method) {
        return (type + "." + method).replace("-", "").toLowerCase(Locale.ROOT);
    }

    /**
     * An override.
     *
     * @param property what sets it
     * @param override what it says
     */
    record Named(String property, ContractOverride override) {}
}
