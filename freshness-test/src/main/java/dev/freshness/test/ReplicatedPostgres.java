/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL primary and its streaming standbys, from the embedded binaries on the class path, for tests and demos.
 *
 * <p><b>What is guaranteed.</b> {@link Builder#start()} returns when every standby streams and has replayed what the
 * primary had flushed. The servers listen on 127.0.0.1 only, at ports that stay the same while the cluster lives. They do
 * not outlive the JVM: {@link #close()} ends them, a shutdown hook does so at an orderly exit, and on Linux and macOS a
 * watchdog process does so when the JVM is killed. The data lie in a temporary directory that goes with them.
 *
 * <p><b>What is not.</b> The servers run with {@code fsync=off}: data survive {@link PostgresNode#kill()}, but not a crash
 * of the machine. Unless a {@linkplain Builder#password password} is set they trust everybody on this machine. On Windows
 * nothing ends them when the JVM is killed, and they do not start for an administrator.
 *
 * <p>As root, the servers run as the account {@code nobody}.
 *
 * <p>A cluster owns its server processes, one watchdog process, one shutdown hook and its directory. It starts no threads
 * and keeps no connections. It may be used by several threads.
 */
public final class ReplicatedPostgres implements AutoCloseable {

    private static final Logger logger = LoggerFactory.getLogger(ReplicatedPostgres.class);

    private final ClusterSettings settings;
    private final PostgresBundle bundle;
    private final ServerAccount account;
    private final Path directory;
    private final Watchdog watchdog;
    private final Thread shutdownHook = new Thread(this::end, "freshness-postgres-shutdown");
    private final AtomicBoolean ended = new AtomicBoolean();

    private final PostgresNode primary;
    private final List<PostgresNode> replicas = new CopyOnWriteArrayList<>();

    private ReplicatedPostgres(
            ClusterSettings settings, PostgresBundle bundle, Path directory, ServerAccount account, Watchdog watchdog) {
        this.settings = settings;
        this.bundle = bundle;
        this.directory = directory;
        this.account = account;
        this.watchdog = watchdog;
        this.primary = node(ClusterSettings.PRIMARY);
    }

    private static ReplicatedPostgres prepare(ClusterSettings settings) {
        PostgresBundle bundle = PostgresBundle.unpacked();
        Path directory = null;
        try {
            directory = Files.createTempDirectory("freshness-cluster-").toRealPath();
            if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                // The account that runs the servers must be able to pass, but not to look around.
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            }
            ServerAccount account = ServerAccount.choose(directory, bundle.program("postgres"));
            Watchdog watchdog = Watchdog.start(directory, bundle.platform());
            return new ReplicatedPostgres(settings, bundle, directory, account, watchdog);
        } catch (IOException | ReplicatedPostgresException e) {
            if (directory != null) {
                FileTrees.delete(directory);
            }
            throw new ReplicatedPostgresException("Cannot prepare a cluster: " + e.getMessage(), e);
        }
    }

    /**
     * Starts a primary and some standbys with default settings.
     *
     * @param replicas how many standbys, named {@code replica-1} and so on
     * @return the running cluster
     */
    public static ReplicatedPostgres start(int replicas) {
        return builder().replicas(replicas).start();
    }

    /**
     * Begins to describe a cluster. By default it has one replica, and database, user and password are
     * {@code postgres}.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    static ReplicatedPostgres start(ClusterSettings settings) {
        long begin = System.nanoTime();
        ReplicatedPostgres cluster = prepare(settings);
        boolean started = false;
        try {
            Runtime.getRuntime().addShutdownHook(cluster.shutdownHook);
            cluster.startServers();
            started = true;
        } catch (IOException | SQLException e) {
            throw new ReplicatedPostgresException("Cannot start a cluster: " + e, e);
        } finally {
            if (!started) {
                cluster.close();
            }
        }
        logger.info(
                "Started {} and {} in {} ms",
                cluster.primary,
                cluster.replicas,
                (System.nanoTime() - begin) / 1_000_000);
        return cluster;
    }

    private PostgresNode node(String name) {
        return new PostgresNode(new Server(name, settings, bundle, account, directory));
    }

    private void startServers() throws IOException, SQLException {
        Server first = primary.server();
        first.files().create();
        first.files().initialise(bundle, settings);
        for (String name : settings.replicas()) {
            PostgresNode replica = node(name);
            replica.server().files().create();
            replica.server().files().copyStopped(first.files());
            replica.server().files().markStandby();
            replicas.add(replica);
        }
        first.launch();
        first.awaitReady(true);
        for (PostgresNode replica : replicas) {
            replica.server().follow(first);
            replica.server().launch();
        }
        for (PostgresNode replica : replicas) {
            replica.server().awaitReady(true);
            new StandbyControls(replica.server()).awaitStreaming();
        }
        if (!settings.database().equals("postgres")) {
            try (AdminSession session = first.admin()) {
                session.execute("CREATE DATABASE \"" + settings.database() + "\"");
            }
        }
        awaitCaughtUp();
    }

    /**
     * The node that was the primary at the start. It keeps that name when another is promoted.
     *
     * @return the node named {@code primary}
     */
    public PostgresNode primary() {
        return primary;
    }

    /**
     * The node of a name.
     *
     * @param name the name of a replica
     * @return that replica, whatever it has become meanwhile
     * @throws IllegalArgumentException if there is none
     */
    public PostgresNode replica(String name) {
        return replicas.stream()
                .filter(replica -> replica.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No replica " + name + " among " + replicas));
    }

    /**
     * The nodes that were started as standbys, in order.
     *
     * @return an unmodifiable snapshot
     */
    public List<PostgresNode> replicas() {
        return List.copyOf(replicas);
    }

    /**
     * Adds a standby to the running cluster.
     *
     * @param name its name, which no other node has
     * @param source a running primary, which it copies and then follows
     * @return the new node, which streams
     */
    public PostgresNode addReplica(String name, PostgresNode source) {
        ClusterSettings.requireNodeName(name);
        synchronized (this) {
            if (replicas.stream().anyMatch(replica -> replica.name().equals(name))) {
                throw new IllegalArgumentException("There is a replica " + name + " already");
            }
            PostgresNode added = node(name);
            try {
                added.server().files().create();
            } catch (IOException e) {
                throw new ReplicatedPostgresException("Cannot make a directory for " + name, e);
            }
            replicas.add(added);
            added.recloneFrom(source);
            return added;
        }
    }

    /**
     * Waits up to 30 seconds until every replica that is still a standby has replayed what its primary has flushed now.
     * Throws {@link WaitTimeoutException} if one cannot, as when it is paused or stopped.
     */
    public void awaitCaughtUp() {
        long end = System.nanoTime() + Await.DEFAULT_DEADLINE.toNanos();
        Map<Server, String> targets = new LinkedHashMap<>();
        for (PostgresNode replica : replicas) {
            Server root = replica.server();
            for (Server next = root.upstream(); next != null; next = root.upstream()) {
                root = next;
            }
            if (root != replica.server()) {
                Server source = root;
                String target = targets.computeIfAbsent(source, server -> new PostgresNode(server).flushLsn());
                replica.awaitReplayed(target, Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
        }
    }

    /**
     * Undoes pauses, delays, cut links, freezes, stops and kills, and waits until all replicas have caught up. Data stay
     * as they are.
     *
     * @throws IllegalStateException if the roles are not those of the start, as after a promotion; then only a new cluster
     *     helps
     */
    public void reset() {
        requireOpen();
        List<PostgresNode> all = new ArrayList<>(replicas);
        all.add(0, primary);
        all.forEach(PostgresNode::unfreeze);
        all.forEach(PostgresNode::unfreezeWalSender);
        all.forEach(PostgresNode::start);
        if (!hasOriginalRoles() || primary.inRecovery() || !replicas.stream().allMatch(PostgresNode::inRecovery)) {
            throw new IllegalStateException("The roles of the nodes are not those of the start");
        }
        String target = primary.flushLsn();
        replicas.forEach(replica -> replica.heal(target));
    }

    /** Whether the calls of this library have left the roles as they were; asks no server. */
    boolean hasOriginalRoles() {
        return primary.server().upstream() == null
                && replicas.stream().map(PostgresNode::name).toList().equals(settings.replicas())
                && replicas.stream().allMatch(replica -> replica.server().upstream() == primary.server());
    }

    private void requireOpen() {
        if (ended.get()) {
            throw new IllegalStateException("The cluster is closed");
        }
    }

    /**
     * Properties for Spring Boot: {@code spring.datasource.url}, {@code .username} and {@code .password} of the primary,
     * and {@code freshness.replicas.<name>.url} of each replica.
     *
     * @return property names and values
     */
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("spring.datasource.url", primary.jdbcUrl());
        properties.put("spring.datasource.username", primary.username());
        properties.put("spring.datasource.password", primary.password());
        for (PostgresNode replica : replicas) {
            properties.put("freshness.replicas." + replica.name() + ".url", replica.jdbcUrl());
        }
        return properties;
    }

    /**
     * Ends all servers, also frozen ones, and removes their data. Open connections break. A second call does nothing.
     */
    @Override
    public void close() {
        end();
        watchdog.close();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException alreadyShuttingDown) {
            logger.trace("Closed during the shutdown of the JVM", alreadyShuttingDown);
        }
    }

    private void end() {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        List<Server> servers = new ArrayList<>();
        servers.add(primary.server());
        replicas.forEach(replica -> servers.add(replica.server()));
        servers.forEach(Server::beginTermination);
        servers.forEach(Server::completeTermination);
        if (!FileTrees.delete(directory)) {
            logger.warn("Could not remove all of {}", directory);
        }
    }

    /** The nodes. */
    @Override
    public String toString() {
        return "ReplicatedPostgres[" + primary + ", " + replicas + "]";
    }

    /** Describes a cluster, and starts it. Not for use by several threads. */
    public static final class Builder {

        private ClusterSettings settings = ClusterSettings.DEFAULT;

        private Builder() {}

        /**
         * Asks for a number of standbys named {@code replica-1}, {@code replica-2} and so on.
         *
         * @param count how many; zero is allowed
         * @return this
         */
        public Builder replicas(int count) {
            settings = settings.withReplicas(ClusterSettings.replicaNames(count));
            return this;
        }

        /**
         * Asks for standbys of the given names.
         *
         * @param names lower-case letters, digits, {@code -} and {@code _}, beginning with a letter
         * @return this
         */
        public Builder replicas(String... names) {
            settings = settings.withReplicas(List.of(names));
            return this;
        }

        /**
         * Sets a parameter of all servers, over the library's defaults.
         *
         * @param name as in {@code postgresql.conf}
         * @param value the value, without quotes
         * @return this
         */
        public Builder serverSetting(String name, String value) {
            settings = settings.withServerSetting(name, value);
            return this;
        }

        /**
         * Names the database of {@link PostgresNode#jdbcUrl()}, which is created at the start.
         *
         * @param name lower-case letters, digits, {@code -} and {@code _}, beginning with a letter
         * @return this
         */
        public Builder database(String name) {
            settings = settings.withDatabase(name);
            return this;
        }

        /**
         * Names the superuser.
         *
         * @param name lower-case letters, digits, {@code -} and {@code _}, beginning with a letter
         * @return this
         */
        public Builder username(String name) {
            settings = settings.withUsername(name);
            return this;
        }

        /**
         * Makes the servers ask for a password, by SCRAM-SHA-256. Without this they trust every local connection.
         *
         * @param password the superuser's password
         * @return this
         */
        public Builder password(String password) {
            settings = settings.withRequiredPassword(password);
            return this;
        }

        ClusterSettings settings() {
            return settings;
        }

        /**
         * Starts the cluster.
         *
         * @return the running cluster
         * @throws MissingBundleException if the class path has no binaries for this machine
         * @throws ServerStartException if a server ended at once, for example by a bad setting
         */
        public ReplicatedPostgres start() {
            return ReplicatedPostgres.start(settings);
        }
    }
}
