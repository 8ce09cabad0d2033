/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a client keeps its token between requests. A bean of this type takes the place of those that
 * {@code freshness.web.token-transport} names.
 *
 * <p>Tokens are signed and bound in time, so a place that the client can change will do. Implementations are thread-safe.
 */
public interface FreshnessTokenTransport {

    /**
     * What came as tokens with a request.
     *
     * @param request the request
     * @return any texts, verified later; empty for none
     */
    List<String> read(HttpServletRequest request);

    /**
     * Gives the client a token to keep instead of those it had. Called before the response is committed, and again where the
     * token has changed since or an error has cleared the response's headers.
     *
     * @param request the request
     * @param response its response
     * @param token the token: letters, digits, {@code -} and {@code _}, at most 512
     * @param life how long it counts
     */
    void write(HttpServletRequest request, HttpServletResponse response, String token, Duration life);

    /**
     * Whether a token that was written is still on its way: an error may have cleared the response's headers, or a handler
     * have set them anew.
     *
     * @param response the response
     * @param token what was written
     * @return false to have it written again
     */
    default boolean carries(HttpServletResponse response, String token) {
        return true;
    }

    /**
     * What to hold while the client's token is read again, merged and replaced, where requests of one client share the place
     * it is kept in.
     *
     * @param request the request
     * @return a lock, null where each request brings a token of its own
     */
    default @Nullable Object lock(HttpServletRequest request) {
        return null;
    }
}
