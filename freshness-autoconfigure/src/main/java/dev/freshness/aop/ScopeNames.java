/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Finds names in a scope's expression that are known to be of nothing, before any call.
 *
 * <p>What it does when it cannot know: properties of parameters are left for the call to find.
 */
final class ScopeNames {

    private static final Set<String> ROOT = Set.of("method", "methodName", "args", "target", "targetClass");

    private static final Pattern INDEX = Pattern.compile("[pa]([0-9]{1,3})");

    private final Method method;

    private final String @Nullable [] names;

    /**
     * Creates it.
     *
     * @param method the method whose parameters may be named
     * @param names their names, null if they are not known
     */
    ScopeNames(Method method, @Nullable String @Nullable [] names) {
        this.method = method;
        this.names =
                names == null ? null : Arrays.stream(names).map(String::valueOf).toArray(String[]::new);
    }

    /** Whether an expression has the same value in each call. */
    static boolean isConstant(SpelNode node) {
        if (!(node instanceof Literal) && !(node instanceof OpPlus)) {
            return false;
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            if (!isConstant(node.getChild(i))) {
                return false;
            }
        }
        return true;
    }

    /** What is wrong with the names in an expression, null for nothing. */
    @Nullable
    String findWrong(SpelNode expression) {
        return findWrong(expression, true, false);
    }

    /**
     * Looks at a part of an expression.
     *
     * @param ofCall whether a bare name in it is looked for in the call, and not in an element of something
     * @param qualified whether it is a property or method of what stands before it
     */
    private @Nullable String findWrong(SpelNode node, boolean ofCall, boolean qualified) {
        String wrong = wrong(node, ofCall && !qualified);
        boolean ofElements = node instanceof Projection
                || node instanceof Selection
                || node instanceof Indexer
                || node instanceof InlineMap;
        for (int i = 0; wrong == null && i < node.getChildCount(); i++) {
            wrong = findWrong(node.getChild(i), ofCall && !ofElements, node instanceof CompoundExpression && i > 0);
        }
        return wrong;
    }

    private @Nullable String wrong(SpelNode node, boolean bare) {
        String text = node.toStringAST();
        if (node instanceof VariableReference) {
            return wrongVariable(text);
        }
        if (node instanceof BeanReference) {
            return text + " names a bean, and only parameters can be named";
        }
        if (node instanceof FunctionReference || node instanceof MethodReference && bare) {
            return text + " calls nothing that is there";
        }
        return node instanceof PropertyOrFieldReference && bare && !ROOT.contains(text)
                ? text + " names nothing: write '" + text + "' in quotes for a text, #" + text + " for a parameter"
                : null;
    }

    private @Nullable String wrongVariable(String variable) {
        String name = variable.substring(1);
        Matcher index = INDEX.matcher(name);
        boolean known = name.equals("root")
                || name.equals("this")
                || index.matches() && Integer.parseInt(index.group(1)) < this.method.getParameterCount()
                || this.names != null && Arrays.asList(this.names).contains(name);
        if (known) {
            return null;
        }
        return this.names == null
                ? variable
                        + " names no parameter: their names are not known; compile with -parameters, or write #p0 for"
                        + " the first"
                : variable + " names no parameter; there "
                        + (this.names.length == 0 ? "is none" : "is #" + String.join(", #", this.names));
    }
}
