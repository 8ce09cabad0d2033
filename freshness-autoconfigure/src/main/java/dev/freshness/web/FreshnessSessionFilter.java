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
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.WebUtils;

/**
 * Opens a session for each web request, from the token that came with it or else with an empty history; what it writes, its
 * own later reads see, and those of requests that bring the token of its response. Asynchronous and error dispatches go on in
 * the session of their request.
 *
 * <p>With the verdict header on, the response names the nodes that served it in order of first use. Nodes used after the
 * response was committed are not in it.
 *
 * <p>Thread-safe; leaves nothing on the thread, whatever the exit.
 */
public final class FreshnessSessionFilter extends OncePerRequestFilter {

    /** The response header that names the nodes. */
    public static final String SERVED_BY = "Freshness-Served-By";

    private static final String EXCHANGE = FreshnessSessionFilter.class.getName() + ".exchange";

    private static final String SESSION = FreshnessSessionFilter.class.getName() + ".session";

    private final boolean verdictHeader;

    private final @Nullable RequestTokens tokens;

    private final TokenTrouble trouble = new TokenTrouble();

    /**
     * Creates the filter.
     *
     * @param verdictHeader whether responses say who served them
     * @param tokens how requests and responses carry tokens, null for not at all
     */
    public FreshnessSessionFilter(boolean verdictHeader, @Nullable RequestTokens tokens) {
        this.verdictHeader = verdictHeader;
        this.tokens = tokens;
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
        if (this.tokens != null && this.tokens.tokens().areNeeded()) {
            filterWithTokens(this.tokens, request, response, chain);
            return;
        }
        FreshnessSession session = (FreshnessSession) request.getAttribute(SESSION);
        if (session == null) {
            session = FreshnessSession.ofNewClient(listener(response));
            request.setAttribute(SESSION, session);
        }
        try (ThreadScope scope = ThreadScope.open(session)) {
            chain.doFilter(request, response);
        }
    }

    private void filterWithTokens(
            RequestTokens settings, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        TokenExchange exchange = (TokenExchange) request.getAttribute(EXCHANGE);
        if (exchange == null) {
            exchange = TokenExchange.open(settings, this.trouble, request, listener(response));
            request.setAttribute(EXCHANGE, exchange);
        }
        // An error dispatch may come with the container's own response.
        HttpServletResponse watched = response;
        if (WebUtils.getNativeResponse(response, BeforeCommitResponse.class) == null) {
            watched = new BeforeCommitResponse(response, exchange);
        }
        try (ThreadScope scope = ThreadScope.open(exchange.session())) {
            chain.doFilter(request, watched);
        } finally {
            if (!request.isAsyncStarted()) {
                exchange.finish(watched);
            }
        }
    }

    private SessionListener listener(HttpServletResponse response) {
        if (!this.verdictHeader) {
            return SessionListener.NONE;
        }
        return new SessionListener() {
            @Override
            public void servedBy(List<String> nodes) {
                if (!response.isCommitted()) {
                    response.setHeader(SERVED_BY, String.join(", ", nodes));
                }
            }
        };
    }
}
