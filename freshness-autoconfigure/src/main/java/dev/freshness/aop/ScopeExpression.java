/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.InvalidFreshnessContractException;
import java.lang.reflect.Method;
import java.util.UUID;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * An expression that names the business object of a call.
 *
 * <p>What it does when it cannot know: there is no name where the value, or an operand of what is put together, is null.
 *
 * <p>Immutable and thread-safe.
 */
final class ScopeExpression {

    static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final SpelNode root;

    private final Method parameters;

    private final String where;

    private final boolean constant;

    private final @Nullable String value;

    private ScopeExpression(SpelNode root, Method parameters, String where) {
        this.root = root;
        this.parameters = parameters;
        this.where = where;
        this.constant = ScopeNames.isConstant(root);
        this.value = this.constant ? name(new StandardEvaluationContext()) : null;
    }

    /**
     * Reads an expression.
     *
     * @param text the expression
     * @param parameters the method whose parameters it may name
     * @param annotation where it stands, for messages
     * @throws InvalidFreshnessContractException if it is none, names what is not there, or is a constant that names nothing
     */
    static ScopeExpression parse(String text, Method parameters, String annotation) {
        String where = annotation + ": scope \"" + text + "\"";
        SpelNode root;
        try {
            root = PARSER.parseRaw(text).getAST();
        } catch (ParseException | IllegalStateException | IllegalArgumentException ex) {
            throw new InvalidFreshnessContractException(where + " is no expression: " + ex.getMessage(), ex);
        }
        String wrong = new ScopeNames(parameters, PARAMETER_NAMES.getParameterNames(parameters)).findWrong(root);
        if (wrong != null) {
            throw new InvalidFreshnessContractException(where + ": " + wrong, null);
        }
        ScopeExpression expression = new ScopeExpression(root, parameters, where);
        if (expression.constant && expression.value == null) {
            throw new InvalidFreshnessContractException(where + " names nothing", null);
        }
        return expression;
    }

    /**
     * Names the object of a call.
     *
     * @return the name, null if it cannot be known
     * @throws InvalidFreshnessContractException if the expression fails, or its value is nothing that names
     */
    @Nullable
    String evaluate(MethodInvocation call) {
        return this.constant
                ? this.value
                : name(new MethodBasedEvaluationContext(
                        ScopeRoot.of(call), this.parameters, call.getArguments(), PARAMETER_NAMES));
    }

    private @Nullable String name(EvaluationContext context) {
        Object value;
        try {
            value = value(this.root, new ExpressionState(context));
        } catch (InvalidFreshnessContractException ex) {
            throw ex;
        } catch (RuntimeException ex) {
            // Its message may hold an argument.
            throw new InvalidFreshnessContractException(
                    this.where + " could not be evaluated: " + ex.getClass().getSimpleName(), ex);
        }
        String name = value == null ? null : text(value);
        return name == null || name.isEmpty() ? null : name;
    }

    /** Left to the language, a null operand would become the text "null". */
    private @Nullable Object value(SpelNode node, ExpressionState state) {
        if (!(node instanceof OpPlus) || node.getChildCount() < 2) {
            return node.getValue(state);
        }
        Object left = value(node.getChild(0), state);
        Object right = left == null ? null : value(node.getChild(1), state);
        if (left == null || right == null) {
            return null;
        }
        return left instanceof Number && right instanceof Number ? node.getValue(state) : text(left) + text(right);
    }

    private String text(Object value) {
        if (value instanceof CharSequence
                || value instanceof Number
                || value instanceof Character
                || value instanceof Boolean
                || value instanceof UUID
                || value instanceof Enum<?>) {
            return String.valueOf(value);
        }
        throw new InvalidFreshnessContractException(
                this.where + " comes to a " + value.getClass().getName()
                        + ", which is no text, number, boolean, UUID or enum constant; name one of its properties",
                null);
    }
}
