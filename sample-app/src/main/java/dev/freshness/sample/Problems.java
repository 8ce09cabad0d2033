/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Errors as problem details (RFC 9457). */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

    @ExceptionHandler
    ProblemDetail notFound(NotFoundException ex) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, message(ex));
    }

    @ExceptionHandler
    ProblemDetail invalidField(InvalidFieldException ex) {
        return invalid(Map.of(ex.field(), message(ex)));
    }

    @ExceptionHandler({OptimisticLockingFailureException.class, DuplicateKeyException.class})
    ProblemDetail changedMeanwhile() {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "Somebody else changed it at the same time");
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException ex, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Map<String, String> errors = new TreeMap<>();
        ex.getFieldErrors().forEach(error -> errors.put(error.getField(), String.valueOf(error.getDefaultMessage())));
        return handleExceptionInternal(ex, invalid(errors), headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException ex, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Map<String, String> errors = new TreeMap<>();
        ex.getParameterValidationResults()
                .forEach(result -> result.getResolvableErrors()
                        .forEach(error -> errors.put(
                                Objects.requireNonNull(
                                        result.getMethodParameter().getParameterName()),
                                String.valueOf(error.getDefaultMessage()))));
        return handleExceptionInternal(ex, invalid(errors), headers, status, request);
    }

    private static ProblemDetail invalid(Map<String, String> errors) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.BAD_REQUEST, "Invalid: " + String.join(", ", errors.keySet()));
        problem.setProperty("errors", errors);
        return problem;
    }

    private static String message(Exception ex) {
        return String.valueOf(ex.getMessage());
    }
}
