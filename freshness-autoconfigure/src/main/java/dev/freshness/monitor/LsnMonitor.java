/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import dev.freshness.routing.WaitOutcome;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
public final class LsnMonitor implements DatabaseWatch {

    private static final Logger logger = LoggerFactory.getLogger(LsnMonitor.class);

    private final CatchUpWaits waits = new CatchUpWaits();

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
        this.board = new ObservationBoard(
                DatabaseState.unobserved(
                        database, names, settings.observationTtl().toNanos()),
                settings.interval());
    }

    /** Begins to probe. Does not wait for a first answer. Does nothing while started; can follow {@link #stop}. */
    public synchronized void start() {
        if (this.watches.isEmpty()) {
            List<Watch> started = new ArrayList<>();
            for (int i = 0; i < this.nodes.size(); i++) {
                started.add(new Watch(ObservationBoard.WRITER + i, this.nodes.get(i)));
            }
            this.watches = List.copyOf(started);
            this.waits.begin();
            this.watches.forEach(Watch::start);
        }
    }

    @Override
    public DatabaseState state() {
        return this.board.state();
    }

    @Override
    public void probeSoon(int node) {
        List<Watch> running = this.watches;
        int index = node - ObservationBoard.WRITER;
        if (index < running.size()) {
            running.get(index).probeSoon();
        }
    }

    @Override
    public WaitOutcome await(Awaited awaited, long nanos) {
        return this.waits.await(awaited, nanos, this::state, () -> this.watches.forEach(Watch::joined));
    }

    @Override
    public void note(Awaited awaited, long nanos, Consumer<WaitOutcome> then) {
        this.waits.note(awaited, nanos, this::state, () -> this.watches.forEach(Watch::joined), then);
    }

    /** Stops probing, cuts the connections and ends all waits. What was observed expires. Does nothing while stopped. */
    public synchronized void stop() {
        this.waits.end();
        this.watches.forEach(Watch::stop);
        this.watches = List.of();
    }

    /** The thread and the probe of one node. */
    private final class Watch implements Runnable {

        private final int index;

        private final String name;

        private final NodeProbe probe;

        private final Thread thread;

        private final ProbePacing pacing;

        private final NodeLog log;

        private volatile boolean asked;

        private volatile boolean joined;

        private volatile boolean stopped;

        private boolean failing;

        private Lsn replay = Lsn.ZERO;

        Watch(int index, MonitoredNode node) {
            this.index = index;
            this.name = node.name();
            this.log = new NodeLog(LsnMonitor.this.database, this.name, index != ObservationBoard.WRITER);
            this.probe = new NodeProbe(node, LsnMonitor.this.settings.timeout());
            this.thread = new Thread(this, "freshness-monitor-" + LsnMonitor.this.database + "-" + this.name);
            this.thread.setDaemon(true);
            this.pacing = new ProbePacing(LsnMonitor.this.settings.interval().toNanos(), System.nanoTime());
        }

        void start() {
            this.thread.start();
        }

        void probeSoon() {
            this.asked = true;
            LockSupport.unpark(this.thread);
        }

        /** Somebody new waits. */
        void joined() {
            this.joined = true;
            LockSupport.unpark(this.thread);
        }

        void stop() {
            this.stopped = true;
            LockSupport.unpark(this.thread);
            this.probe.close();
        }

        @Override
        public void run() {
            while (!this.stopped) {
                this.asked = false;
                if (this.joined) {
                    this.joined = false;
                    this.pacing.joined();
                }
                long begun = System.nanoTime();
                this.pacing.begin(begun);
                Lsn before = this.replay;
                probeSafely(begun);
                this.pacing.end(System.nanoTime(), !this.replay.equals(before));
                pause();
            }
        }

        private void pause() {
            long left = due() - System.nanoTime();
            while (left > 0 && !this.stopped) {
                LockSupport.parkNanos(this, left);
                left = due() - System.nanoTime();
            }
        }

        /** A node that does not answer is not asked more often because somebody waits for it. */
        private long due() {
            if (this.asked) {
                return this.pacing.soon();
            }
            CatchUpWaits waits = LsnMonitor.this.waits;
            if (this.index == ObservationBoard.WRITER || this.failing || !waits.isAnyoneWaiting()) {
                return this.pacing.regular();
            }
            if (this.joined) {
                return this.pacing.soon();
            }
            long rate = state().replicas().get(this.index).replayRate();
            return this.pacing.waiting(waits.distanceFrom(this.replay), rate);
        }

        private void probeSafely(long begun) {
            NodeObservation observation = this.probe.probe();
            if (this.stopped) {
                return;
            }
            this.replay = observation instanceof StandbyObservation standby ? standby.replay() : Lsn.ZERO;
            LsnMonitor.this.waits.published(LsnMonitor.this.board.accept(this.index, observation));
            this.failing = observation instanceof FailedObservation;
            this.log.observed(observation);
            try {
                LsnMonitor.this.listener.probed(
                        LsnMonitor.this.database, this.name, observation, System.nanoTime() - begun);
            } catch (RuntimeException ex) {
                // An exception would end the thread, and with it every observation of this node.
                logger.debug("A listener failed on the probe of {}", this.name, ex);
            }
        }
    }
}
