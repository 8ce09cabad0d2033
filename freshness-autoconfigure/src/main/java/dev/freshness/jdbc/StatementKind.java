/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an auto-commit statement may leave behind, as far as its text tells. Declared from the least to the most.
 *
 * <p>What it does when it cannot know: a text that is not certainly of another kind is {@link #OTHER}.
 */
enum StatementKind {

    /** Certainly writes nothing and sets nothing. */
    PLAIN_READ,

    /** INSERT, UPDATE, DELETE or MERGE: writes, and sets nothing on the session. */
    DATA_CHANGE,

    /** May write, and may set something on the session. */
    OTHER;

    private static final Pattern DATA_CHANGES =
            Pattern.compile("\\s*(insert|update|delete|merge)\\s[^;]*(;\\s*)?", Pattern.CASE_INSENSITIVE);

    /** What two statements amount to together. */
    StatementKind and(StatementKind other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /**
     * The kind of a statement.
     *
     * @param sql its text, null if it is not known
     */
    static StatementKind of(@Nullable String sql) {
        if (PlainRead.isPlainRead(sql)) {
            return PLAIN_READ;
        }
        // A semicolon within a literal makes it another kind, which costs nothing but a kept connection.
        return sql != null && DATA_CHANGES.matcher(sql).matches() ? DATA_CHANGE : OTHER;
    }
}
