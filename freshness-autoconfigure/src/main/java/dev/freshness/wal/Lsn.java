/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.wal;

import org.jspecify.annotations.Nullable;

/**
 * A log sequence number: a byte offset into PostgreSQL's write-ahead log, an unsigned 64-bit number.
 *
 * <p>An LSN alone is only a number. It says where a write lies only together with the history it belongs to:
 * see {@link WalPosition}.
 *
 * <p>Immutable and thread-safe.
 *
 * @param value the offset in bytes, to be read as unsigned
 * @see <a href="https://www.postgresql.org/docs/current/datatype-pg-lsn.html">PostgreSQL: pg_lsn type</a>
 */
public record Lsn(long value) implements Comparable<Lsn> {

    /**
     * {@code 0/0}. As a floor every observed node meets it; as a node's own report it means that nothing is known.
     */
    public static final Lsn ZERO = new Lsn(0);

    private static final int HALF_MAX_DIGITS = 8;

    /**
     * Reads the text form: one to eight hexadecimal digits, a slash, one to eight hexadecimal digits, in either case
     * and nothing else. The zero-padded form of PostgreSQL 19 is the same number.
     *
     * @param text the text, for example {@code 16/B374D848}
     * @return the position
     * @throws IllegalArgumentException if the text is null or of another form
     */
    public static Lsn parse(@Nullable String text) {
        if (text == null) {
            throw new IllegalArgumentException("An LSN must not be null");
        }
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw notAnLsn(text);
        }
        long high = half(text, 0, slash);
        long low = half(text, slash + 1, text.length());
        return new Lsn(high << 32 | low);
    }

    private static long half(String text, int from, int to) {
        int digits = to - from;
        if (digits < 1 || digits > HALF_MAX_DIGITS) {
            throw notAnLsn(text);
        }
        long half = 0;
        for (int i = from; i < to; i++) {
            half = half << 4 | digit(text, i);
        }
        return half;
    }

    private static int digit(String text, int index) {
        char c = text.charAt(index);
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c >= 'A' && c <= 'F') {
            return c - 'A' + 10;
        }
        if (c >= 'a' && c <= 'f') {
            return c - 'a' + 10;
        }
        throw notAnLsn(text);
    }

    private static IllegalArgumentException notAnLsn(String text) {
        // The text may be client input: its length is enough to find the fault, its content stays out of logs.
        return new IllegalArgumentException("Not an LSN: " + text.length()
                + " characters that are not of the form X/X with one to eight hexadecimal digits on each side");
    }

    /**
     * Tells whether this position lies at or past the other, both taken as unsigned numbers of one history.
     *
     * @param other the position to reach
     * @return true if everything up to {@code other} lies at or below this position
     */
    public boolean isAtOrPast(Lsn other) {
        return Long.compareUnsigned(this.value, other.value) >= 0;
    }

    /**
     * The distance from another position up to this one.
     *
     * @param other the lower position
     * @return the bytes between them, 0 if this position is not past the other; at most {@link Long#MAX_VALUE}
     */
    public long bytesPast(Lsn other) {
        if (other.isAtOrPast(this)) {
            return 0;
        }
        long distance = this.value - other.value;
        return distance < 0 ? Long.MAX_VALUE : distance;
    }

    @Override
    public int compareTo(Lsn other) {
        return Long.compareUnsigned(this.value, other.value);
    }

    /**
     * The text form of PostgreSQL 18 and before: upper case, no leading zeros.
     *
     * @return for example {@code 16/B374D848}
     */
    @Override
    public String toString() {
        return Long.toHexString(this.value >>> 32).toUpperCase(java.util.Locale.ROOT) + "/"
                + Long.toHexString(this.value & 0xFFFFFFFFL).toUpperCase(java.util.Locale.ROOT);
    }
}
