/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import dev.freshness.handover.SessionTokens;
import java.util.List;

/**
 * How requests and responses carry tokens.
 *
 * @param tokens what makes and reads tokens
 * @param transports where they are, in the order they are looked at
 * @param boundToPrincipal whether a token counts only for the principal it was issued to
 */
public record RequestTokens(SessionTokens tokens, List<FreshnessTokenTransport> transports, boolean boundToPrincipal) {

    /** Makes the list unmodifiable. */
    public RequestTokens {
        transports = List.copyOf(transports);
    }
}
