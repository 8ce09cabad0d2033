/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what keeps tokens from coming and going, each of them once in the life of an application. Messages of exceptions are
 * left out, since there may be tokens in them.
 *
 * <p>Thread-safe.
 */
final class TokenTrouble {

    private static final Logger logger = LoggerFactory.getLogger(TokenTrouble.class);

    private final AtomicBoolean toldNotRead = new AtomicBoolean();

    private final AtomicBoolean toldNotWritten = new AtomicBoolean();

    private final AtomicBoolean toldTooLate = new AtomicBoolean();

    void notRead(RuntimeException ex) {
        if (this.toldNotRead.compareAndSet(false, true)) {
            logger.warn(
                    "The freshness tokens of a request could not be read ({}), so that what its client has written is"
                            + " unknown; this is said once",
                    nameAndPlace(ex));
        }
    }

    void notWritten(RuntimeException ex) {
        if (this.toldNotWritten.compareAndSet(false, true)) {
            logger.warn("A freshness token could not be put on a response ({}); this is said once", nameAndPlace(ex));
        }
    }

    void tooLate(HttpServletRequest request) {
        if (this.toldTooLate.compareAndSet(false, true)) {
            logger.warn(
                    "{} {} committed a transaction after its response had been committed, so that its client has no"
                            + " freshness token of it; this is said once",
                    request.getMethod(),
                    Objects.requireNonNullElse(request.getServletPath(), "").replaceAll("\\p{Cntrl}", "?"));
        }
    }

    private static String nameAndPlace(RuntimeException ex) {
        String place = Arrays.stream(ex.getStackTrace())
                .findFirst()
                .map(frame -> " at " + frame)
                .orElse("");
        return ex.getClass().getName() + place;
    }
}
