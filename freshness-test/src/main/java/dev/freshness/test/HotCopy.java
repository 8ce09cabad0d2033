/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;

/** Copies the data of a running primary by its backup functions; the bundle has no {@code pg_basebackup}. */
final class HotCopy {

    /** What a server makes anew, or must not inherit: see "Backing Up the Data Directory" in PostgreSQL's manual. */
    private static final Set<String> EMPTIED = Set.of(
            "pg_dynshmem",
            "pg_notify",
            "pg_replslot",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans",
            "pg_wal");

    private static final Set<String> LEFT_OUT = Set.of(
            "postmaster.pid", "postmaster.opts", "standby.signal", "recovery.signal", "backup_label", "tablespace_map");

    private static final int VERSION_15 = 150_000;

    private HotCopy() {}

    static void copy(Server source, Server target) throws SQLException {
        target.files().deleteData();
        try (AdminSession session = source.admin()) {
            String version = session.query("SELECT current_setting('server_version_num')");
            boolean named14 = version != null && Integer.parseInt(version) < VERSION_15;
            session.query(
                    named14
                            ? "SELECT pg_start_backup('freshness-test', true, false)"
                            : "SELECT pg_backup_start('freshness-test', true)");
            try {
                FileTrees.copy(source.files().data(), target.files().data(), HotCopy::wanted, target.account());
            } catch (IOException e) {
                throw new ReplicatedPostgresException("Cannot copy the data of " + source.name(), e);
            }
            String label = session.query(
                    named14
                            ? "SELECT labelfile FROM pg_stop_backup(false, false)"
                            : "SELECT labelfile FROM pg_backup_stop(false)");
            if (label == null) {
                throw new ReplicatedPostgresException("No backup label from " + source.name());
            }
            target.files().writeData("backup_label", label);
        }
        target.files().markStandby();
    }

    private static boolean wanted(Path relative) {
        String first = relative.getName(0).toString();
        if (relative.getNameCount() > 1 && EMPTIED.contains(first)) {
            return false;
        }
        return !LEFT_OUT.contains(relative.toString());
    }
}
