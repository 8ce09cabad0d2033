/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
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
     * A client that took an old token out of its own cache would forget the newer one, so it has to ask again, whatever was
     * said of how long the rest may be kept (RFC 9111, 4.2.2 and 5.2.2.4).
     */
    static String madePrivate(Collection<String> values) {
        Set<String> kept = new LinkedHashSet<>();
        boolean keptNowhere = false;
        boolean isPrivate = false;
        for (String value : values) {
            for (String directive : value.split(",", -1)) {
                String name = name(directive);
                if (!name.isEmpty() && !SHARED.contains(name)) {
                    kept.add(directive.strip());
                    keptNowhere |= name.equals("no-store");
                    isPrivate |= directive.strip().equalsIgnoreCase("private");
                }
            }
        }
        List<String> all = new ArrayList<>(kept);
        if (!keptNowhere && !isPrivate) {
            all.add(0, "private");
        }
        if (!keptNowhere && all.stream().noneMatch("no-cache"::equalsIgnoreCase)) {
            all.add("no-cache");
        }
        return String.join(", ", all);
    }

    private static String name(String directive) {
        return directive.split("=", 2)[0].strip().toLowerCase(Locale.ROOT);
    }
}
