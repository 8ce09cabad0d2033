/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.WebUtils;

/**
 * Tokens in the HTTP session, for those who have one anyway, as by Spring Session. Reading makes no session, writing does.
 *
 * <p>Requests of one client that overlap in this process do not lose the higher floor where they share the session object, as
 * a container's own do. Where each has a copy, as with Spring Session, or between processes, the last to save wins.
 *
 * <p>Thread-safe.
 */
public final class HttpSessionTransport implements FreshnessTokenTransport {

    /** The attribute of the session. */
    public static final String ATTRIBUTE = "dev.freshness.token";

    /** Creates the transport. */
    public HttpSessionTransport() {}

    @Override
    public List<String> read(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(ATTRIBUTE) instanceof String token ? List.of(token) : List.of();
    }

    @Override
    public void write(HttpServletRequest request, HttpServletResponse response, String token, Duration life) {
        request.getSession().setAttribute(ATTRIBUTE, token);
    }

    @Override
    public @Nullable Object lock(HttpServletRequest request) {
        return WebUtils.getSessionMutex(request.getSession());
    }
}
