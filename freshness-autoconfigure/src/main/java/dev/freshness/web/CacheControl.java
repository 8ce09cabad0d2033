/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.HttpHeaders;

/**
 * Keeps a response that carries a token out of shared caches, which would hand one client's floors to others. Headers of
 * single caches, such as {@code CDN-Cache-Control} and {@code Surrogate-Control}, are left to whoever set them.
 */
final class CacheControl {

    /** What allows shared caches to keep a response, or tells only them for how long. */
    private static final Set<String> SHARED = Set.of("public", "s-maxage", "proxy-revalidate");

    private CacheControl() {}

    static boolean isPrivate(HttpServletResponse response) {
        Collection<String> values = response.getHeaders(HttpHeaders.CACHE_CONTROL);
        return values.size() == 1 && values.iterator().next().equals(madePrivate(values));
    }

    static void makePrivate(HttpServletResponse response) {
        response.setHeader(HttpHeaders.CACHE_CONTROL, madePrivate(response.getHeaders(HttpHeaders.CACHE_CONTROL)));
    }

    /**
     * Where nothing is said, caches may keep a response by a rule of thumb (RFC 9111, 4.2.2), and a client that took an old
     * token out of its own cache would forget the newer one: so it has to be asked for again.
     */
    static String madePrivate(Collection<String> values) {
        List<String> kept = new ArrayList<>();
        boolean said = false;
        for (String value : values) {
            for (String directive : value.split(",", -1)) {
                String name = name(directive);
                if (!name.isEmpty() && !SHARED.contains(name) && !kept.contains(directive.strip())) {
                    kept.add(directive.strip());
                }
                said |= !name.isEmpty();
            }
        }
        if (!said) {
            return "private, no-cache";
        }
        boolean isPrivate = kept.stream().map(String::strip).anyMatch("private"::equalsIgnoreCase)
                || kept.stream().anyMatch(directive -> name(directive).equals("no-store"));
        if (!isPrivate) {
            kept.add(0, "private");
        }
        return String.join(", ", kept);
    }

    private static String name(String directive) {
        return directive.split("=", 2)[0].strip().toLowerCase(Locale.ROOT);
    }
}
