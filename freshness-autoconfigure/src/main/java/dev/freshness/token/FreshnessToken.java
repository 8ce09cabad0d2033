/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.token;

import dev.freshness.session.Floors;
import java.util.Map;

/**
 * What a token says.
 *
 * <p>Immutable and thread-safe.
 *
 * @param issuedAtMillis when it was issued, in milliseconds since 1970
 * @param expiresAtMillis until when it is sure to count, in milliseconds since 1970
 * @param floors what its client's reads owe, by database; unknown floors are as of the token's arrival
 * @param othersUnknown whether the floors of databases that are not named are unknown, and not none
 */
public record FreshnessToken(
        long issuedAtMillis, long expiresAtMillis, Map<String, Floors> floors, boolean othersUnknown) {

    /** Makes the floors unmodifiable. */
    public FreshnessToken {
        floors = Map.copyOf(floors);
    }
}
