/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.token;

import org.jspecify.annotations.Nullable;

/**
 * What verifying a text came to.
 *
 * @param result why it counts or not
 * @param token what it says, null unless it is {@link TokenResult#VALID}
 */
public record TokenVerification(
        TokenResult result, @Nullable FreshnessToken token) {

    static TokenVerification rejected(TokenResult result) {
        return new TokenVerification(result, null);
    }
}
