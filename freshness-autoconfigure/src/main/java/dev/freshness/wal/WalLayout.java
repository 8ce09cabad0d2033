/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.wal;

/**
 * The sizes of one server's WAL segments and pages, and what follows from them for its insert position.
 *
 * <p>{@code pg_current_wal_insert_lsn()} names the place where the next record will start. After a record that ends
 * exactly on a page end, that place lies behind the next page's header, 24 bytes, or 40 on the first page of a segment.
 * Replay positions name the page end. An idle standby would then stay below the number for up to 25 seconds or, after a
 * segment switch, for as long as nobody writes. No record can end inside a header, so taking the header off is exact.
 *
 * <p>Immutable and thread-safe.
 *
 * @param segmentSize bytes in a WAL segment ({@code wal_segment_size}), a power of two
 * @param blockSize bytes in a WAL page ({@code wal_block_size}), a power of two
 */
public record WalLayout(long segmentSize, int blockSize) {

    /** The sizes of a server that was built and initialised with PostgreSQL's defaults. */
    public static final WalLayout DEFAULT = new WalLayout(16L * 1024 * 1024, 8192);

    private static final int SEGMENT_HEADER = 40;

    private static final int PAGE_HEADER = 24;

    /**
     * @throws IllegalArgumentException if a size is not a power of two, or the segment is not larger than the page
     */
    public WalLayout {
        if (Long.bitCount(segmentSize) != 1 || Integer.bitCount(blockSize) != 1 || segmentSize <= blockSize) {
            throw new IllegalArgumentException(
                    "Not the sizes of a WAL: segment " + segmentSize + ", page " + blockSize);
        }
    }

    /**
     * The highest position that a standby can be expected to report once it has replayed everything written so far.
     *
     * @param insert what {@code pg_current_wal_insert_lsn()} answered
     * @return the same position, or the page end before it if only a page header lies between
     */
    public Lsn normalise(Lsn insert) {
        long value = insert.value();
        if (Long.remainderUnsigned(value, this.segmentSize) == SEGMENT_HEADER) {
            return new Lsn(value - SEGMENT_HEADER);
        }
        if (Long.remainderUnsigned(value, this.blockSize) == PAGE_HEADER) {
            return new Lsn(value - PAGE_HEADER);
        }
        return insert;
    }
}
