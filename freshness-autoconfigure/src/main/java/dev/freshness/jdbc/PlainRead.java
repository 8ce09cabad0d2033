/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Recognises statements that do not write: a single SELECT, VALUES, TABLE or SHOW without a locking clause,
 * INTO, a data-modifying CTE, or a call of a function that is not on a short list.
 *
 * <p>Views and operators can call functions of their own; like any look at the text, this one does not see them.
 *
 * <p>What it does when it cannot know: the statement may write. A needless mark may cost a probe, never a stale read.
 *
 * <p>Confined to one text; {@link #isPlainRead} is thread-safe.
 */
final class PlainRead {

    private static final Set<String> FIRST = Set.of("select", "values", "table", "show", "with");

    private static final Set<String> WRITES =
            Set.of("insert", "update", "delete", "merge", "into", "for", "call", "lock", "copy", "do", "set");

    /** Keywords that a parenthesis may follow. */
    private static final Set<String> KEYWORDS = Set.of(
            "select",
            "values",
            "as",
            "in",
            "and",
            "or",
            "not",
            "exists",
            "any",
            "all",
            "some",
            "over",
            "filter",
            "using",
            "on",
            "where",
            "having",
            "from",
            "by",
            "when",
            "then",
            "else",
            "between",
            "limit",
            "offset",
            "union",
            "except",
            "intersect",
            "distinct",
            "lateral",
            "materialized",
            "join",
            "within",
            "group",
            "case",
            "like",
            "ilike",
            "is",
            "array",
            "row",
            "varchar",
            "char",
            "numeric",
            "decimal",
            "timestamp",
            "time",
            "interval",
            "bit",
            "character",
            "varying");

    private static final Set<String> FUNCTIONS = Set.of(
            "count",
            "sum",
            "min",
            "max",
            "avg",
            "coalesce",
            "nullif",
            "greatest",
            "least",
            "lower",
            "upper",
            "length",
            "char_length",
            "substring",
            "substr",
            "trim",
            "btrim",
            "ltrim",
            "rtrim",
            "concat",
            "replace",
            "position",
            "abs",
            "round",
            "floor",
            "ceil",
            "ceiling",
            "mod",
            "now",
            "date_trunc",
            "date_part",
            "extract",
            "to_char",
            "to_date",
            "to_timestamp",
            "cast",
            "row_number",
            "rank",
            "dense_rank",
            "lag",
            "lead",
            "first_value",
            "last_value",
            "array_agg",
            "string_agg",
            "json_agg",
            "jsonb_agg",
            "bool_and",
            "bool_or",
            "unnest",
            "generate_series",
            "current_setting",
            "pg_is_in_recovery",
            "pg_backend_pid",
            "inet_server_port",
            "pg_last_wal_replay_lsn",
            "version");

    private final String text;

    private int at;

    private PlainRead(String text) {
        this.text = text;
    }

    static boolean isPlainRead(@Nullable String sql) {
        return sql != null && new PlainRead(sql).check();
    }

    private boolean check() {
        String word = "";
        boolean first = true;
        boolean qualified = false;
        while (skipBlanks()) {
            char c = this.text.charAt(this.at);
            if (Character.isLetter(c) || c == '_') {
                word = readWord();
                if (first ? !FIRST.contains(word) : WRITES.contains(word)) {
                    return false;
                }
                if (isFollowedBy('\'')) {
                    // E'..', U&'..' and the like have rules of their own for what ends them.
                    return false;
                }
                first = false;
                continue;
            }
            if (first && c != '(') {
                return false;
            }
            if (c == '\'' || c == '"') {
                if (!skipQuoted(c)) {
                    return false;
                }
                // A quoted name is none that may be called; a quoted text cannot be called at all.
                word = c == '"' ? "\"" : "";
                qualified = false;
                continue;
            }
            if (c == '(' && !word.isEmpty() && (qualified || !mayCall(word))) {
                return false;
            }
            if (c == '$' && !isParameter() || c == ';' && !isLast()) {
                return false;
            }
            qualified = c == '.';
            word = "";
            this.at++;
        }
        return !first && this.at >= this.text.length();
    }

    private static boolean mayCall(String word) {
        return KEYWORDS.contains(word) || FUNCTIONS.contains(word);
    }

    /** Moves to the next character that means something; false at the end, or in a comment that does not end. */
    private boolean skipBlanks() {
        while (this.at < this.text.length()) {
            if (Character.isWhitespace(this.text.charAt(this.at))) {
                this.at++;
            } else if (this.text.startsWith("--", this.at)) {
                int end = this.text.indexOf('\n', this.at);
                this.at = end < 0 ? this.text.length() : end + 1;
            } else if (this.text.startsWith("/*", this.at)) {
                int end = this.text.indexOf("*/", this.at + 2);
                int nested = this.text.indexOf("/*", this.at + 2);
                if (end < 0 || nested >= 0 && nested < end) {
                    return false;
                }
                this.at = end + 2;
            } else {
                return true;
            }
        }
        return false;
    }

    private String readWord() {
        int from = this.at;
        while (this.at < this.text.length() && isWordPart(this.text.charAt(this.at))) {
            this.at++;
        }
        return this.text.substring(from, this.at).toLowerCase(Locale.ROOT);
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '&';
    }

    private boolean skipQuoted(char quote) {
        int end = this.text.indexOf(quote, this.at + 1);
        while (end >= 0 && end + 1 < this.text.length() && this.text.charAt(end + 1) == quote) {
            end = this.text.indexOf(quote, end + 2);
        }
        // A backslash ends nothing only while standard_conforming_strings is on, which the text does not tell.
        if (end < 0 || this.text.substring(this.at, end).indexOf('\\') >= 0) {
            return false;
        }
        this.at = end + 1;
        return true;
    }

    private boolean isFollowedBy(char c) {
        return this.at < this.text.length() && this.text.charAt(this.at) == c;
    }

    private boolean isParameter() {
        return this.at + 1 < this.text.length() && Character.isDigit(this.text.charAt(this.at + 1));
    }

    private boolean isLast() {
        int semicolon = this.at;
        this.at++;
        boolean last = !skipBlanks() && this.at >= this.text.length();
        this.at = semicolon;
        return last;
    }
}
