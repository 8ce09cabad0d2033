/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import dev.freshness.handover.SessionTokens;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Tells services on the same database what the session in force owes, and takes what they wrote into that session. For a
 * {@code RestClient} or {@code RestTemplate} that calls such services, and only for that: add it to
 * {@code RestClient.Builder.requestInterceptor(..)}. They accept its tokens where {@code freshness.token.keys} and
 * {@code freshness.token.audience} are the same.
 *
 * <p>In a transaction that has not been committed it tells of what was committed before. Outside of a session it does
 * nothing.
 *
 * <p>What it does when it cannot know: a response whose token does not verify changes nothing and is counted.
 *
 * <p>Thread-safe.
 */
public final class FreshnessTokenInterceptor implements ClientHttpRequestInterceptor {

    private final SessionTokens tokens;

    /**
     * Creates the interceptor.
     *
     * @param tokens what makes and reads tokens
     */
    public FreshnessTokenInterceptor(SessionTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        ThreadScope scope = ThreadScope.current();
        if (scope == null || !this.tokens.areNeeded()) {
            return execution.execute(request, body);
        }
        FreshnessSession session = scope.session();
        if (this.tokens.hasAnythingToTell(session)) {
            request.getHeaders().set(HeaderTransport.HEADER, this.tokens.current(session, null));
        }
        ClientHttpResponse response = execution.execute(request, body);
        List<String> received = response.getHeaders().get(HeaderTransport.HEADER);
        this.tokens.adopt(session, Objects.requireNonNullElse(received, List.of()));
        return response;
    }
}
