/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/**
 * A contract could not be kept, and nothing weaker was served instead. Reaches the caller as itself through
 * JdbcTemplate, JdbcClient, JPA and the transaction managers.
 */
public abstract class FreshnessException extends DataAccessException {

    FreshnessException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Whether the same call may succeed a little later without any change to the code.
     *
     * @return true if a retry makes sense
     */
    public abstract boolean isTransient();
}
