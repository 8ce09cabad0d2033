/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.Freshness;
import dev.freshness.FreshnessScope;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ClassFilter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Lets every class pass and says once of each method that its {@link Freshness} or {@link FreshnessScope} is ignored, because no proxy can come
 * between: a private or static method, or a final one of a class.
 *
 * <p>What it does when it cannot know: nothing. A final method, of a proxy class too, that implements an interface's is called through a proxy
 * of that interface, and which kind of proxy a bean gets is decided later.
 *
 * <p>A class filter, since that sees each bean's class once, while methods are looked at only up to the first that
 * matches. Thread-safe.
 */
final class UnreachableMethods implements ClassFilter {

    private static final Logger logger = LoggerFactory.getLogger(FreshnessAdvisor.class);

    private final Set<Class<?>> seen = ConcurrentHashMap.newKeySet();

    private final Set<Method> said = ConcurrentHashMap.newKeySet();

    @Override
    public boolean matches(Class<?> type) {
        Class<?> userClass = ClassUtils.getUserClass(type);
        if (this.seen.add(userClass)) {
            for (Method method : ReflectionUtils.getAllDeclaredMethods(userClass)) {
                String why = why(method, userClass);
                String annotation = why == null ? null : annotation(method);
                if (annotation != null && this.said.add(method)) {
                    logger.warn(
                            "@{} on {}.{} is ignored: it is {}, so calls do not come through the Spring proxy",
                            annotation,
                            method.getDeclaringClass().getName(),
                            method.getName(),
                            why);
                }
            }
        }
        return true;
    }

    private static @Nullable String annotation(Method method) {
        if (AnnotatedElementUtils.hasAnnotation(method, Freshness.class)) {
            return Freshness.class.getSimpleName();
        }
        return AnnotatedElementUtils.hasAnnotation(method, FreshnessScope.class)
                ? FreshnessScope.class.getSimpleName()
                : null;
    }

    private static @Nullable String why(Method method, Class<?> userClass) {
        int modifiers = method.getModifiers();
        if (method.isSynthetic()) {
            return null;
        }
        if (Modifier.isPrivate(modifiers)) {
            return "private";
        }
        if (Modifier.isStatic(modifiers)) {
            return "static";
        }
        return Modifier.isFinal(modifiers) && !isOfAnInterface(method, userClass) ? "final" : null;
    }

    private static boolean isOfAnInterface(Method method, Class<?> userClass) {
        return ClassUtils.getAllInterfacesForClassAsSet(userClass).stream()
                .anyMatch(
                        type -> ReflectionUtils.findMethod(type, method.getName(), method.getParameterTypes()) != null);
    }
}
