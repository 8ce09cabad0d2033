/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the positions of one database's nodes and publishes what it sees as an immutable {@link DatabaseState}.
 *
 * <p>Guarantees that a node which hangs delays no other node's probes, and that a state never claims more than the
 * newest probe of each node showed.
 *
 * <p>What it does when it cannot know: a failed probe replaces the observation before it, so the node is not eligible
 * until it answers again; a probe that does not come back lets the observation expire. Trouble is logged once when it
 * begins and once when it ends.
 *
 * <p>Owns one daemon thread and one connection for each node, from {@link #start} to {@link #stop}. Thread-safe.
 */
public final class LsnMonitor {

    private static final Logger logger = LoggerFactory.getLogger(LsnMonitor.class);

    private final String database;

    private final MonitorSettings settings;

    private final ObservationBoard board;

    private final ProbeListener listener;

    private final List<MonitoredNode> nodes;

    private volatile List<Watch> watches = List.of();

    /**
     * Prepares a monitor; nothing runs before {@link #start}.
     *
     * @param database the database's name
     * @param writer the node configured as the writer
     * @param replicas the replicas, in the order of their configuration
     * @param settings how often to probe and how long to believe
     * @param listener told of every probe
     */
    public LsnMonitor(
            String database,
            MonitoredNode writer,
            List<MonitoredNode> replicas,
            MonitorSettings settings,
            ProbeListener listener) {
        this.database = database;
        this.settings = settings;
        this.listener = listener;
        this.nodes = Stream.concat(Stream.of(writer), replicas.stream()).toList();
        List<String> names = replicas.stream().map(MonitoredNode::name).toList();
        this.board = new ObservationBoard(DatabaseState.unobserved(
                database, names, settings.observationTtl().toNanos()));
    }

    /** Begins to probe. Does not wait for a first answer. Does nothing while started; can follow {@link #stop}. */
    public synchronized void start() {
        if (this.watches.isEmpty()) {
            List<Watch> started = new ArrayList<>();
            for (int i = 0; i < this.nodes.size(); i++) {
                started.add(new Watch(ObservationBoard.WRITER + i, this.nodes.get(i)));
            }
            this.watches = List.copyOf(started);
            this.watches.forEach(Watch::start);
        }
    }

    /**
     * What is known now.
     *
     * @return the newest state; one without observations before the first probe
     */
    public DatabaseState state() {
        return this.board.state();
    }

    /**
     * Asks for a probe of a node ahead of its turn, for example because a connection to it broke. Returns at once.
     *
     * @param node the index of a replica, or -1 for the writer
     */
    public void probeSoon(int node) {
        List<Watch> running = this.watches;
        int index = node - ObservationBoard.WRITER;
        if (index < running.size()) {
            running.get(index).probeSoon();
        }
    }

    /** Stops probing and cuts the connections. What was observed expires. Does nothing while stopped. */
    public synchronized void stop() {
        this.watches.forEach(Watch::stop);
        this.watches = List.of();
    }

    /** The thread and the probe of one node. */
    private final class Watch {

        private final int index;

        private final String name;

        private final NodeProbe probe;

        private final ScheduledExecutorService executor;

        private final AtomicBoolean asked = new AtomicBoolean();

        private @Nullable Future<?> schedule;

        private boolean failing;

        Watch(int index, MonitoredNode node) {
            this.index = index;
            this.name = node.name();
            this.probe = new NodeProbe(node, LsnMonitor.this.settings.timeout());
            this.executor = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "freshness-monitor-" + LsnMonitor.this.database + "-" + this.name);
                thread.setDaemon(true);
                return thread;
            });
        }

        void start() {
            long interval = LsnMonitor.this.settings.interval().toNanos();
            this.schedule = this.executor.scheduleWithFixedDelay(this::probeSafely, 0, interval, TimeUnit.NANOSECONDS);
        }

        void probeSoon() {
            if (!this.asked.compareAndSet(false, true)) {
                return;
            }
            try {
                this.executor.execute(this::probeSafely);
            } catch (RejectedExecutionException ex) {
                logger.trace("The monitor is closed; {} is not probed", this.name);
            }
        }

        void stop() {
            if (this.schedule != null) {
                this.schedule.cancel(true);
            }
            this.executor.shutdownNow();
            this.probe.close();
        }

        private void probeSafely() {
            this.asked.set(false);
            long begun = System.nanoTime();
            NodeObservation observation = this.probe.probe();
            if (this.executor.isShutdown()) {
                return;
            }
            LsnMonitor.this.board.accept(this.index, observation);
            logChange(observation);
            try {
                LsnMonitor.this.listener.probed(
                        LsnMonitor.this.database, this.name, observation, System.nanoTime() - begun);
            } catch (RuntimeException ex) {
                // An exception would end the schedule, and with it every observation of this node.
                logger.debug("A listener failed on the probe of {}", this.name, ex);
            }
        }

        private void logChange(NodeObservation observation) {
            if (observation instanceof FailedObservation failed) {
                if (!this.failing) {
                    logger.warn(
                            "Node {} of database {} cannot be observed [{}]: {}",
                            this.name,
                            LsnMonitor.this.database,
                            failed.sqlState(),
                            failed.message());
                }
                this.failing = true;
            } else {
                if (this.failing) {
                    logger.info("Node {} of database {} can be observed again", this.name, LsnMonitor.this.database);
                }
                this.failing = false;
            }
        }
    }
}
