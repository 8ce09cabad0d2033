/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import dev.freshness.session.FreshnessSession;
import dev.freshness.session.SessionListener;
import dev.freshness.session.ThreadScope;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Opens a session for each web request. A request begins with an empty history; what it writes, its own later reads see.
 * Asynchronous and error dispatches go on in the session of their request.
 *
 * <p>With the verdict header on, the response names the nodes that served it in order of first use. Nodes used after the
 * response was committed are not in it.
 *
 * <p>Thread-safe; leaves nothing on the thread, whatever the exit.
 */
public final class FreshnessSessionFilter extends OncePerRequestFilter {

    /** The response header that names the nodes. */
    public static final String SERVED_BY = "Freshness-Served-By";

    private static final String SESSION = FreshnessSessionFilter.class.getName() + ".session";

    private final boolean verdictHeader;

    /**
     * Creates the filter.
     *
     * @param verdictHeader whether responses say who served them
     */
    public FreshnessSessionFilter(boolean verdictHeader) {
        this.verdictHeader = verdictHeader;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        FreshnessSession session = (FreshnessSession) request.getAttribute(SESSION);
        if (session == null) {
            session = newSession(response);
            request.setAttribute(SESSION, session);
        }
        try (ThreadScope scope = ThreadScope.open(session)) {
            chain.doFilter(request, response);
        }
    }

    private FreshnessSession newSession(HttpServletResponse response) {
        if (!this.verdictHeader) {
            return FreshnessSession.ofNewClient();
        }
        return FreshnessSession.ofNewClient(new SessionListener() {
            @Override
            public void servedBy(List<String> nodes) {
                if (!response.isCommitted()) {
                    response.setHeader(SERVED_BY, String.join(", ", nodes));
                }
            }
        });
    }
}
