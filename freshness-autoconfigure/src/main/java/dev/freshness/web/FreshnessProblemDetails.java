/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import dev.freshness.FreshnessException;
import dev.freshness.ReplicaConflictException;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.WriterUnavailableException;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Tells clients of reads that were refused for now, as problem details (RFC 9457) with status 503 and {@code Retry-After}.
 * What they say is for clients: no node, method or statement is named.
 *
 * <p>A response that is on its way already is left to the container, which cuts it off: more text behind what was sent would
 * make it look complete. That goes for bodies that are streamed and have filled the buffer.
 *
 * <p>Comes before advices without an order, so that one that catches everything does not take its place, and after those
 * with one, which may; an exception that has one of these for its cause is told in the same way. Stateless and thread-safe.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE - 1)
public final class FreshnessProblemDetails {

    /** Replicas catch up and budgets are given back within a moment. */
    private static final String RETRY_AFTER_SECONDS = "1";

    /** Creates the advice. */
    public FreshnessProblemDetails() {}

    @ExceptionHandler
    ResponseEntity<ProblemDetail> staleReadNotAllowed(StaleReadNotAllowedException ex, HttpServletResponse response) {
        return problem(ex, response, "stale-not-allowed", "No answer is fresh enough at the moment. Try again.");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> writerUnavailable(WriterUnavailableException ex, HttpServletResponse response) {
        return problem(ex, response, "writer-unavailable", "The database takes no writes at the moment. Try again.");
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> replicaConflict(ReplicaConflictException ex, HttpServletResponse response) {
        return problem(ex, response, "replica-conflict", "The read was in the way of newer data. Try again.");
    }

    private static ResponseEntity<ProblemDetail> problem(
            FreshnessException ex, HttpServletResponse response, String type, String detail) {
        if (response.isCommitted()) {
            throw ex;
        }
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, detail);
        problem.setType(URI.create("urn:freshness:problem:" + type));
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }
}
