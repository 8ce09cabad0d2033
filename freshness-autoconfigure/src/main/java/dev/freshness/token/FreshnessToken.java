/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.token;

import dev.freshness.session.Floors;
import dev.freshness.session.FreshnessSession;
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
 * @param cohort the group that its client belongs to where contracts are enforced for some only, from 0 to 99
 */
public record FreshnessToken(
        long issuedAtMillis, long expiresAtMillis, Map<String, Floors> floors, boolean othersUnknown, int cohort) {

    /**
     * Makes the floors unmodifiable.
     *
     * @throws IllegalArgumentException if there is no such cohort
     */
    public FreshnessToken {
        if (cohort < 0 || cohort >= FreshnessSession.COHORTS) {
            throw new IllegalArgumentException("There is no cohort " + cohort);
        }
        floors = Map.copyOf(floors);
    }
}
