/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server: its configuration and its process. Methods that change either hold this object's lock, except
 * the two that end the server for good.
 */
final class Server {

    private static final Logger logger = LoggerFactory.getLogger(Server.class);

    private static final int START_TRIES = 5;
    private static final Duration TERMINATE_DEADLINE = Duration.ofSeconds(10);

    /** For speed: nothing here has to survive a crash of the machine. The rest is what replication needs. */
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("fsync", "off"),
            Map.entry("wal_level", "replica"),
            Map.entry("hot_standby", "on"),
            Map.entry("hot_standby_feedback", "off"),
            Map.entry("max_wal_senders", "20"),
            Map.entry("max_replication_slots", "20"),
            Map.entry("wal_keep_size", "1GB"),
            Map.entry("wal_retrieve_retry_interval", "100ms"),
            Map.entry("shared_buffers", "32MB"),
            Map.entry("log_line_prefix", "%m [%p] "));

    private final String name;
    private final ClusterSettings settings;
    private final PostgresBundle bundle;
    private final ServerAccount account;
    private final ServerFiles files;
    private final Signals signals;

    /** In the order in which they were frozen; read without the lock when the cluster ends. */
    private final CopyOnWriteArrayList<Long> frozen = new CopyOnWriteArrayList<>();

    private volatile int port = Ports.free();
    private volatile long pid;
    private volatile boolean terminated;
    private volatile @Nullable Process launcher;
    private long logStart;

    private @Nullable Server upstream;
    private Duration applyDelay = Duration.ZERO;
    private boolean linkCut;

    Server(String name, ClusterSettings settings, PostgresBundle bundle, ServerAccount account, Path clusterDirectory) {
        this.name = name;
        this.settings = settings;
        this.bundle = bundle;
        this.account = account;
        Path directory = clusterDirectory.resolve(name);
        this.files = new ServerFiles(directory, account);
        this.signals = new Signals(bundle, account, clusterDirectory);
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    ClusterSettings settings() {
        return settings;
    }

    ServerFiles files() {
        return files;
    }

    ServerAccount account() {
        return account;
    }

    /** The process id of the postmaster, or 0 while none runs. */
    long pid() {
        return running() ? pid : 0;
    }

    boolean running() {
        return pid != 0 && Signals.alive(pid);
    }

    synchronized @Nullable Server upstream() {
        return upstream;
    }

    synchronized Duration applyDelay() {
        return applyDelay;
    }

    /** Makes this the standby of a server, or of none, with nothing between them; takes effect by a reload or start. */
    synchronized void follow(@Nullable Server server) {
        upstream = server;
        linkCut = false;
        writeConfiguration();
    }

    synchronized void setApplyDelay(Duration delay) {
        applyDelay = delay;
        writeConfiguration();
    }

    synchronized void setLinkCut(boolean cut) {
        linkCut = cut;
        writeConfiguration();
    }

    AdminSession admin() {
        return new AdminSession(port, settings.username(), settings.password());
    }

    String logTail() {
        return files.logTail(name);
    }

    synchronized String connectionInfo() {
        Server from = upstream;
        if (from == null || linkCut) {
            return "";
        }
        return "host=127.0.0.1 port=" + from.port + " user=" + settings.username() + " password='"
                + settings.password().replace("\\", "\\\\").replace("'", "\\'") + "' application_name=" + name;
    }

    private void writeConfiguration() {
        Map<String, String> all = new LinkedHashMap<>(DEFAULTS);
        all.putAll(settings.serverSettings());
        all.put("listen_addresses", "127.0.0.1");
        all.put("unix_socket_directories", "");
        all.put("port", Integer.toString(port));
        all.put("primary_conninfo", connectionInfo());
        all.put("recovery_min_apply_delay", applyDelay.toMillis() + "ms");
        files.configure(all);
    }

    /** Starts the process without waiting for it, so that several servers can start at once. */
    synchronized void launch() {
        if (terminated) {
            throw new IllegalStateException("The cluster of " + name + " is closed");
        }
        writeConfiguration();
        List<String> command = Commands.detached(account.command(List.of(
                bundle.program("postgres").toString(), "-D", files.data().toString())));
        try {
            files.deletePidFile();
            logStart = files.logSize();
            launcher = Commands.builder(command, files.directory())
                    .redirectOutput(Redirect.appendTo(files.log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new ReplicatedPostgresException("Cannot run " + command, e);
        }
    }

    /**
     * Waits until a launched server accepts connections.
     *
     * @param portMayChange whether to take another port if somebody else has this one
     */
    synchronized void awaitReady(boolean portMayChange) {
        for (int attempt = 1; !ready(); attempt++) {
            if (!portTaken() || attempt == START_TRIES) {
                throw new ServerStartException(name + " did not start on port " + port + logTail());
            }
            if (portMayChange) {
                port = Ports.free();
            }
            launch();
        }
    }

    private boolean portTaken() {
        return files.logSince(logStart).contains("could not bind IPv4 address");
    }

    private boolean ready() {
        Process process = launcher;
        if (process == null) {
            throw new IllegalStateException(name + " was not launched");
        }
        boolean[] started = new boolean[1];
        Await.until(name + " to accept connections", Await.DEFAULT_DEADLINE, this::logTail, () -> {
            if (!process.isAlive()) {
                return new Await.Look(true, "the process has ended");
            }
            ServerFiles.PidFile file = files.pidFile();
            if (file == null) {
                return new Await.Look(false, "no postmaster.pid");
            }
            pid = file.pid();
            started[0] = file.status().equals("ready");
            return new Await.Look(started[0], "state " + file.status());
        });
        return started[0];
    }

    synchronized void start() {
        if (!running()) {
            launch();
            awaitReady(false);
        }
    }

    /** Signals one of the server's processes. */
    void signal(String signal, long process) {
        signals.send(signal, List.of(process));
    }

    /** Ends the server by a signal and waits for its end. */
    synchronized void shutDown(String signal) {
        unfreeze();
        long target = pid();
        if (target != 0) {
            signals.send(signal, List.of(target));
            Await.until(name + " to end", Await.DEFAULT_DEADLINE, this::logTail, () -> gone(target));
        }
        forget();
    }

    private Await.Look gone(long target) {
        return new Await.Look(!Signals.alive(target), "process " + target + " alive");
    }

    private void forget() {
        pid = 0;
        try {
            files.deletePidFile();
        } catch (IOException e) {
            throw new ReplicatedPostgresException("Cannot change the files of " + name, e);
        }
    }

    /** Freezes the postmaster first: then no new process can escape. */
    synchronized void freeze() {
        long target = pid();
        if (target == 0) {
            throw new IllegalStateException(name + " does not run");
        }
        freeze(List.of(target));
        freeze(ProcessHandle.of(target).stream()
                .flatMap(ProcessHandle::children)
                .map(ProcessHandle::pid)
                .toList());
    }

    boolean isFrozen() {
        return frozen.contains(pid);
    }

    synchronized void freeze(List<Long> pids) {
        frozen.addAllAbsent(pids);
        writeFrozen();
        signals.freeze(pids);
    }

    /** Wakes everything that was frozen, the postmaster last. */
    synchronized void unfreeze() {
        List<Long> pids = new ArrayList<>(frozen);
        Collections.reverse(pids);
        unfreeze(pids);
    }

    synchronized void unfreeze(List<Long> pids) {
        signals.send("CONT", pids);
        frozen.removeAll(pids);
        writeFrozen();
    }

    private void writeFrozen() {
        try {
            if (frozen.isEmpty()) {
                Files.deleteIfExists(files.frozenPids());
            } else {
                Files.writeString(
                        files.frozenPids(),
                        frozen.stream().map(String::valueOf).collect(Collectors.joining(" ", "", "\n")));
            }
        } catch (IOException e) {
            throw new ReplicatedPostgresException("Cannot change the files of " + name, e);
        }
    }

    /** Begins the end of the server for good, without waiting, also not for a lock: its holder may be in a long wait. */
    void beginTermination() {
        terminated = true;
        try {
            signals.send("CONT", List.copyOf(frozen));
            if (running()) {
                signals.send("QUIT", List.of(pid));
            }
        } catch (RuntimeException e) {
            logger.warn("Cannot stop {}", name, e);
        }
    }

    /** Completes what {@link #beginTermination()} began, by force if the server does not obey. */
    void completeTermination() {
        Process process = launcher;
        if (!running()) {
            // It may be on its way up, without having told its process id.
            if (process != null) {
                process.destroyForcibly();
            }
            return;
        }
        long target = pid;
        List<ProcessHandle> children = ProcessHandle.of(target).stream()
                .flatMap(ProcessHandle::children)
                .toList();
        try {
            Await.until(name + " to end", TERMINATE_DEADLINE, () -> "", () -> gone(target));
        } catch (ReplicatedPostgresException e) {
            logger.warn("{} is killed, since it did not end by itself", name, e);
            children.forEach(ProcessHandle::destroyForcibly);
            ProcessHandle.of(target).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
