/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.monitor.ProbeListener;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets go of a replica's connections when the replica stops answering. Those that lie idle go at the first probe that
 * fails: they are most likely dead, and the pool would find out one by one, each at the cost of a borrower. Those in use
 * are cut once the replica has not answered for as long as an observation counts: where packets are dropped without a
 * word, as by a server that lost its power, a statement would wait for its answer for ever.
 *
 * <p>What it does when it cannot know: a server that answers with an error is alive and keeps its connections. The
 * writer's connections are never touched, nor those to a server that also serves as the writer.
 *
 * <p>Thread-safe.
 */
final class DeadConnections implements ProbeListener {

    private final List<NodePool> replicas;

    private final long ttlNanos;

    private final Consumer<ServerIdentity> abort;

    private final Consumer<String> silent;

    private final Map<String, Health> health = new ConcurrentHashMap<>();

    private volatile @Nullable ServerIdentity writer;

    /**
     * Creates the listener.
     *
     * @param ttl how long an observation counts
     * @param abort cuts every connection to a server
     * @param silent told of each probe of a replica that failed, so that it is left out for a while
     */
    DeadConnections(List<NodePool> replicas, Duration ttl, Consumer<ServerIdentity> abort, Consumer<String> silent) {
        this.replicas = List.copyOf(replicas);
        this.ttlNanos = ttl.toNanos();
        this.abort = abort;
        this.silent = silent;
    }

    @Override
    public void probed(String database, String node, NodeObservation observation, long nanos) {
        if (observation instanceof FailedObservation failed) {
            // Nobody else touches the entry of this node, whose probes come from one thread.
            Health before = this.health.get(node);
            if (before != null) {
                this.health.put(node, failed(node, before, failed));
            }
        } else if (observation instanceof StandbyObservation standby && isReplica(node)) {
            this.health.put(node, new Health(standby.identity(), standby.sampledAt(), false, false));
        } else if (observation instanceof PrimaryObservation primary) {
            this.health.remove(node);
            if (!isReplica(node)) {
                this.writer = primary.identity();
            }
        }
    }

    private boolean isReplica(String node) {
        return this.replicas.stream().anyMatch(pool -> pool.name().equals(node));
    }

    private Health failed(String node, Health before, FailedObservation failed) {
        if (!before.failing()) {
            this.replicas.stream().filter(pool -> pool.name().equals(node)).forEach(NodePool::softEvict);
        }
        this.silent.accept(node);
        boolean silent = failed.sqlState() == null || failed.sqlState().startsWith("08");
        boolean dead = before.cut() || silent && failed.sampledAt() - before.answeredAt() > this.ttlNanos;
        if (dead && !before.cut() && !before.server().equals(this.writer)) {
            this.abort.accept(before.server());
        }
        return new Health(before.server(), before.answeredAt(), true, dead);
    }

    ProbeListener andThen(ProbeListener next) {
        return (database, node, observation, nanos) -> {
            probed(database, node, observation, nanos);
            next.probed(database, node, observation, nanos);
        };
    }

    /**
     * Whether a replica answers.
     *
     * @param server the server that answered last
     * @param answeredAt {@link System#nanoTime()} before that was asked
     * @param failing whether probes have failed since
     * @param cut whether its connections in use were cut
     */
    private record Health(ServerIdentity server, long answeredAt, boolean failing, boolean cut) {}
}
