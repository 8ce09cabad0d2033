/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * JDBC URLs as operators may see them.
 *
 * <p>What it does when it cannot know: parameters are left out altogether, since nobody can tell which of them are secrets,
 * and of a URL that may have a secret elsewhere only the scheme is left.
 */
final class Addresses {

    /** What comes before credentials, the credentials, and the rest without parameters. */
    private static final Pattern PARTS =
            Pattern.compile("(jdbc:[a-z0-9:-]*(?://)?)(?:[^?;]*@)?([^@?;]*)(.*)", Pattern.DOTALL);

    private static final Pattern PARAMETERS = Pattern.compile("[?;](\\w[\\w.]*=.*)?", Pattern.DOTALL);

    private Addresses() {}

    /** A URL without user, password and parameters. */
    static String of(String url) {
        Matcher parts = PARTS.matcher(url);
        if (!parts.matches()) {
            return "(not shown)";
        }
        String parameters = parts.group(3);
        // A password with a question mark looks like the begin of parameters.
        boolean clear = parameters.isEmpty() || PARAMETERS.matcher(parameters).matches();
        return clear ? parts.group(1) + parts.group(2) : parts.group(1) + "(not shown)";
    }
}
