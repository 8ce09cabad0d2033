/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The directory of one server: its data, its log, and the configuration that this library adds. */
final class ServerFiles {

    private static final Duration INITDB_DEADLINE = Duration.ofMinutes(2);
    private static final String OWN_CONFIGURATION = "freshness.conf";
    private static final int TAIL_LINES = 40;
    private static final int PID_FILE_STATUS_LINE = 7;

    private final Path directory;
    private final ServerAccount account;

    ServerFiles(Path directory, ServerAccount account) {
        this.directory = directory;
        this.account = account;
    }

    /** What {@code postmaster.pid} says; absent or half-written files say nothing. */
    record PidFile(long pid, String status) {}

    void create() throws IOException {
        Files.createDirectories(directory);
    }

    Path directory() {
        return directory;
    }

    Path data() {
        return directory.resolve("data");
    }

    Path log() {
        return directory.resolve("server.log");
    }

    /** The watchdog reads here which processes it must wake before it can end the server. */
    Path frozenPids() {
        return directory.resolve("frozen.pids");
    }

    void initialise(PostgresBundle bundle, ClusterSettings settings) throws IOException {
        Path passwordFile = directory.resolve("password");
        Files.createDirectory(data());
        account.own(data());
        Files.createFile(passwordFile);
        restrict(passwordFile, "rw-------");
        Files.writeString(passwordFile, settings.password() + "\n");
        account.own(passwordFile);
        List<String> initdb = account.command(List.of(
                bundle.program("initdb").toString(),
                "--pgdata=" + data(),
                "--username=" + settings.username(),
                "--pwfile=" + passwordFile,
                "--auth=" + (settings.passwordRequired() ? "scram-sha-256" : "trust"),
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                "--no-instructions"));
        Commands.Result result = Commands.run(initdb, directory, INITDB_DEADLINE);
        Files.delete(passwordFile);
        if (!result.succeeded()) {
            throw new ServerStartException(initdb + " ended with " + result.exitCode() + ":\n" + result.output());
        }
        Path configuration = data().resolve("postgresql.conf");
        Files.writeString(configuration, Files.readString(configuration) + "\ninclude '" + OWN_CONFIGURATION + "'\n");
    }

    /** Copies the data of a server that does not run. */
    void copyStopped(ServerFiles source) throws IOException {
        FileTrees.copy(source.data(), data(), path -> true, account);
    }

    void deleteData() {
        FileTrees.delete(data());
    }

    /** Replaces the library's part of the configuration, as a whole: a reload never sees half of it. */
    void configure(Map<String, String> settings) {
        StringBuilder text = new StringBuilder();
        settings.forEach((name, value) -> text.append(name)
                .append(" = '")
                .append(value.replace("\\", "\\\\").replace("'", "''"))
                .append("'\n"));
        writeData(OWN_CONFIGURATION, text.toString());
    }

    void markStandby() {
        writeData("standby.signal", "");
    }

    /** Writes a file of the data directory, with the server's account as its owner. */
    void writeData(String name, String text) {
        try {
            Path temporary = directory.resolve(name + ".new");
            Files.writeString(temporary, text);
            restrict(temporary, "rw-------");
            account.own(temporary);
            Files.move(
                    temporary,
                    data().resolve(name),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new ReplicatedPostgresException("Cannot write " + name + " in " + data(), e);
        }
    }

    private void restrict(Path path, String permissions) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }

    @Nullable
    PidFile pidFile() throws IOException {
        Path file = data().resolve("postmaster.pid");
        if (Files.notExists(file)) {
            return null;
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        if (lines.size() <= PID_FILE_STATUS_LINE) {
            return null;
        }
        return new PidFile(
                Long.parseLong(lines.get(0).strip()),
                lines.get(PID_FILE_STATUS_LINE).strip());
    }

    /** Removes what a dead server left, whose process id somebody else may have by now. */
    void deletePidFile() throws IOException {
        Files.deleteIfExists(data().resolve("postmaster.pid"));
    }

    long logSize() throws IOException {
        return Files.exists(log()) ? Files.size(log()) : 0;
    }

    String logSince(long position) {
        try {
            byte[] bytes = Files.readAllBytes(log());
            int from = (int) Math.min(position, bytes.length);
            return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(no log: " + e + ")";
        }
    }

    /** The log's last lines, as the end of a message. */
    String logTail(String name) {
        List<String> lines = new ArrayList<>(logSince(0).lines().toList());
        int from = Math.max(0, lines.size() - TAIL_LINES);
        return "\nThe log of " + name + " ends:\n  " + String.join("\n  ", lines.subList(from, lines.size()));
    }
}
