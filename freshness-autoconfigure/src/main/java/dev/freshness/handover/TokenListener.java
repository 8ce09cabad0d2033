/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.handover;

import dev.freshness.token.TokenResult;

/**
 * Told what becomes of tokens. Implementations are thread-safe, quick and do not throw; never learn a token's text.
 */
@FunctionalInterface
public interface TokenListener {

    /**
     * Something became of a token.
     *
     * @param result what
     */
    void token(TokenResult result);
}
