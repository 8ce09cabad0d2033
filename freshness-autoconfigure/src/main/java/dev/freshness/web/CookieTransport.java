/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/**
 * Tokens in a cookie: HttpOnly, and Secure where the request is.
 *
 * <p>Browsers keep one cookie: of responses that overlap, the last to arrive wins, though its token may be the lower.
 *
 * <p>Thread-safe.
 */
public final class CookieTransport implements FreshnessTokenTransport {

    private final String name;

    private final String path;

    private final @Nullable String domain;

    private final String sameSite;

    /**
     * Creates the transport.
     *
     * @param name the cookie's name
     * @param path the path it is for
     * @param domain the domain it is for, null for the host that set it
     * @param sameSite its SameSite attribute
     */
    public CookieTransport(String name, String path, @Nullable String domain, String sameSite) {
        this.name = name;
        this.path = path;
        this.domain = domain;
        this.sameSite = sameSite;
    }

    @Override
    public List<String> read(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies == null) {
            return List.of();
        }
        List<String> texts = new ArrayList<>(1);
        for (Cookie cookie : cookies) {
            if (cookie.getName().equals(this.name)) {
                texts.add(Objects.requireNonNullElse(cookie.getValue(), ""));
            }
        }
        return texts;
    }

    @Override
    public void write(HttpServletRequest request, HttpServletResponse response, String token, Duration life) {
        removeOwn(response);
        ResponseCookie cookie = ResponseCookie.from(this.name, token)
                .path(this.path)
                .domain(this.domain)
                .maxAge(life)
                .httpOnly(true)
                .secure(request.isSecure())
                .sameSite(this.sameSite)
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
        CacheControl.makePrivate(response);
    }

    @Override
    public boolean carries(HttpServletResponse response, String token) {
        return CacheControl.isPrivate(response)
                && response.getHeaders(HttpHeaders.SET_COOKIE).stream()
                        .anyMatch(cookie -> cookie.startsWith(this.name + "=" + token));
    }

    /** A token that has changed since it was put on this response takes the place of the one before. */
    private void removeOwn(HttpServletResponse response) {
        List<String> all = List.copyOf(response.getHeaders(HttpHeaders.SET_COOKIE));
        List<String> others = all.stream()
                .filter(cookie -> !cookie.startsWith(this.name + "="))
                .toList();
        if (others.size() < all.size()) {
            response.setHeader(HttpHeaders.SET_COOKIE, others.isEmpty() ? null : others.get(0));
            others.stream().skip(1).forEach(cookie -> response.addHeader(HttpHeaders.SET_COOKIE, cookie));
        }
    }
}
