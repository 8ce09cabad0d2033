/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.springframework.web.util.WebUtils;

/**
 * Puts the token on a response at the end of a forward, since a container closes the response then, and may do so behind the
 * back of what wraps it. To be mapped to forwards, besides {@link FreshnessSessionFilter}; without that it does nothing.
 *
 * <p>Stateless and thread-safe.
 */
public final class FreshnessForwardFilter implements Filter {

    /** Creates the filter. */
    public FreshnessForwardFilter() {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        BeforeCommitResponse watched = WebUtils.getNativeResponse(response, BeforeCommitResponse.class);
        if (watched != null && !request.isAsyncStarted()) {
            watched.beforeCommit();
        }
    }
}
