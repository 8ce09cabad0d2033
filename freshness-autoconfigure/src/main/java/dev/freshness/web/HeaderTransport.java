/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.StringTokenizer;

/**
 * Tokens in the header {@value #HEADER}. A client that has several, since its requests overlap, may send them all, separated
 * by commas or in several headers.
 *
 * <p>Thread-safe.
 */
public final class HeaderTransport implements FreshnessTokenTransport {

    /** The header of requests and responses. */
    public static final String HEADER = "Freshness-Token";

    /** One more than is looked at, so that the rest is noticed. */
    private static final int MOST = 5;

    /** Creates the transport. */
    public HeaderTransport() {}

    @Override
    public List<String> read(HttpServletRequest request) {
        Enumeration<String> headers = request.getHeaders(HEADER);
        if (headers == null || !headers.hasMoreElements()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>(1);
        while (headers.hasMoreElements() && texts.size() < MOST) {
            StringTokenizer elements = new StringTokenizer(headers.nextElement(), ",");
            while (elements.hasMoreTokens() && texts.size() < MOST) {
                String text = elements.nextToken().strip();
                if (!text.isEmpty()) {
                    texts.add(text);
                }
            }
        }
        return texts;
    }

    @Override
    public void write(HttpServletRequest request, HttpServletResponse response, String token, Duration life) {
        response.setHeader(HEADER, token);
        CacheControl.makePrivate(response);
    }

    @Override
    public boolean carries(HttpServletResponse response, String token) {
        return token.equals(response.getHeader(HEADER)) && CacheControl.isPrivate(response);
    }
}
