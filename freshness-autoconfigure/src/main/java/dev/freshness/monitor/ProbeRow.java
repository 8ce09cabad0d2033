/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalLayout;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one row that a probe asks for, as the server wrote it.
 *
 * <p>Every function in the statement may be executed by any role by PostgreSQL's defaults. {@code pg_stat_wal_receiver}
 * shows the row to every role and its columns to members of {@code pg_monitor}; without that role the timeline of a
 * standby comes from the control file, which follows a switch only at the next restart point.
 *
 * @param inRecovery whether the node is a standby
 * @param systemIdentifier the cluster
 * @param startedAtMicros the start of its postmaster in microseconds since 1970
 * @param insert insert position of a primary
 * @param flush flush position of a primary
 * @param timeline timeline, eight hexadecimal digits on a primary, decimal on a standby
 * @param replay replay position of a standby
 * @param receive received position of a standby
 * @param receivers WAL receivers running
 * @param walWriterDelay {@code wal_writer_delay} with its unit
 * @param segmentSize {@code wal_segment_size} with its unit
 * @param blockSize {@code wal_block_size} in bytes
 */
record ProbeRow(
        boolean inRecovery,
        long systemIdentifier,
        long startedAtMicros,
        @Nullable String insert,
        @Nullable String flush,
        @Nullable String timeline,
        @Nullable String replay,
        @Nullable String receive,
        int receivers,
        @Nullable String walWriterDelay,
        @Nullable String segmentSize,
        @Nullable String blockSize) {

    /**
     * Flush is asked for before insert, so that the insert position of a row is never below its flush position. The
     * sub-select settles the role once for the whole row.
     */
    static final String SQL = """
            SELECT r.in_recovery,
                   (SELECT system_identifier FROM pg_catalog.pg_control_system()),
                   (EXTRACT(EPOCH FROM pg_catalog.pg_postmaster_start_time()) * 1000000)::pg_catalog.int8,
                   CASE WHEN r.in_recovery THEN NULL ELSE pg_catalog.pg_current_wal_flush_lsn()::pg_catalog.text END,
                   CASE WHEN r.in_recovery THEN NULL ELSE pg_catalog.pg_current_wal_insert_lsn()::pg_catalog.text END,
                   CASE WHEN r.in_recovery THEN
                       GREATEST((SELECT max(received_tli) FROM pg_catalog.pg_stat_wal_receiver),
                                (SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()),
                                (SELECT min_recovery_end_timeline
                                   FROM pg_catalog.pg_control_recovery()))::pg_catalog.text
                   ELSE pg_catalog.substr(
                       pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 1, 8) END,
                   CASE WHEN r.in_recovery THEN pg_catalog.pg_last_wal_replay_lsn()::pg_catalog.text END,
                   CASE WHEN r.in_recovery THEN pg_catalog.pg_last_wal_receive_lsn()::pg_catalog.text END,
                   (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_wal_receiver)::pg_catalog.int4,
                   pg_catalog.current_setting('wal_writer_delay'),
                   pg_catalog.current_setting('wal_segment_size'),
                   pg_catalog.current_setting('wal_block_size')
              FROM (SELECT pg_catalog.pg_is_in_recovery() AS in_recovery OFFSET 0) r
            """;

    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,12})(B|kB|MB|GB|ms|s|min)?");

    static ProbeRow read(ResultSet row) throws SQLException {
        return new ProbeRow(
                row.getBoolean(1),
                row.getLong(2),
                row.getLong(3),
                row.getString(5),
                row.getString(4),
                row.getString(6),
                row.getString(7),
                row.getString(8),
                row.getInt(9),
                row.getString(10),
                row.getString(11),
                row.getString(12));
    }

    /**
     * Makes an observation of the row.
     *
     * @param sampledAt {@link System#nanoTime()} before the probe was sent
     * @return the observation
     * @throws IllegalArgumentException if something in the row is not of the form that PostgreSQL answers in
     */
    NodeObservation toObservation(long sampledAt) {
        ServerIdentity identity = new ServerIdentity(this.systemIdentifier, this.startedAtMicros);
        if (this.inRecovery) {
            return new StandbyObservation(
                    sampledAt,
                    identity,
                    this.timeline == null ? 0 : Integer.parseUnsignedInt(this.timeline),
                    this.replay == null ? Lsn.ZERO : Lsn.parse(this.replay),
                    this.receive == null ? Lsn.ZERO : Lsn.parse(this.receive),
                    this.receivers > 0);
        }
        WalLayout layout = new WalLayout(bytes(this.segmentSize), (int) bytes(this.blockSize));
        int writtenTimeline = Integer.parseUnsignedInt(this.timeline == null ? "" : this.timeline, 16);
        if (writtenTimeline == 0) {
            throw new IllegalArgumentException("A primary reported timeline 0");
        }
        return new PrimaryObservation(
                sampledAt,
                identity,
                writtenTimeline,
                layout.normalise(Lsn.parse(this.insert)),
                Lsn.parse(this.flush),
                delay(this.walWriterDelay).toNanos());
    }

    private static long bytes(@Nullable String setting) {
        Matcher amount = amount(setting);
        long number = Long.parseLong(amount.group(1));
        return switch (unit(amount, "B")) {
            case "B" -> number;
            case "kB" -> number << 10;
            case "MB" -> number << 20;
            case "GB" -> number << 30;
            default -> throw new IllegalArgumentException("Not a size: " + setting);
        };
    }

    private static Duration delay(@Nullable String setting) {
        Matcher amount = amount(setting);
        long number = Long.parseLong(amount.group(1));
        return switch (unit(amount, "ms")) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "min" -> Duration.ofMinutes(number);
            default -> throw new IllegalArgumentException("Not a time: " + setting);
        };
    }

    private static Matcher amount(@Nullable String setting) {
        Matcher matcher = AMOUNT.matcher(setting == null ? "" : setting);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Not a number with a unit: " + setting);
        }
        return matcher;
    }

    private static String unit(Matcher amount, String otherwise) {
        return amount.group(2) == null ? otherwise : amount.group(2);
    }
}
