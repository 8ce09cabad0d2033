/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.monitor.DatabaseWatch;
import dev.freshness.routing.ReplicaOutages;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Borrows connections from the pools of one database's nodes.
 *
 * <p>Guarantees that a replica's connection leads to the very server that was observed, and that a replica to which no
 * connection can be made is left out for a while, at once.
 *
 * <p>What it does when it cannot know: a connection whose server does not tell who it is does not serve as a replica's. A
 * pool that is merely full says nothing about its node.
 *
 * <p>Thread-safe. Owns nothing; the connections it borrows belong to the caller.
 */
final class NodeConnections {

    private static final Logger logger = LoggerFactory.getLogger(NodeConnections.class);

    private final NodePool writer;

    private final List<NodePool> replicas;

    private final DatabaseWatch watch;

    private final ReplicaOutages outages;

    private final ConnectionProfiles profiles = new ConnectionProfiles();

    private final OtherServers otherServers;

    private volatile @Nullable Integer defaultIsolation;

    NodeConnections(
            String database, NodePool writer, List<NodePool> replicas, DatabaseWatch watch, ReplicaOutages outages) {
        this.writer = writer;
        this.replicas = List.copyOf(replicas);
        this.watch = watch;
        this.outages = outages;
        this.otherServers = new OtherServers(database);
    }

    /** The isolation of the writer's transactions unless told otherwise, as the newest connection had it; null if unknown. */
    @Nullable
    Integer defaultIsolation() {
        return this.defaultIsolation;
    }

    /**
     * A connection to a replica.
     *
     * @param observed what the decision for it was made on
     * @param now {@link System#nanoTime()} of that decision
     * @return the connection, or null if there is none that leads to the standby that was observed
     */
    @Nullable
    Lease toReplica(UnitRouting.Exchange exchange, int replica, DatabaseState observed, long now) {
        NodePool pool = this.replicas.get(replica);
        if (!this.outages.mayTry(replica, now)) {
            return null;
        }
        try {
            Lease lease = exchange.to(replica);
            if (leadsToObservedStandby(lease, observed.replicas().get(replica))) {
                this.outages.gaveConnection(replica, now);
                return lease;
            }
            exchange.evict(lease);
            if (lease.profile() == null && isStuck(replica, now)) {
                this.outages.failed(replica, now, System.nanoTime());
            }
        } catch (SQLException ex) {
            logger.debug("No connection from {}", pool.name(), ex);
            // While packets are dropped, connects hang and nobody gives anything back: the pool has no failure to tell
            // of.
            if (ConnectFailure.isOne(ex) || isStuck(replica, now)) {
                this.outages.failed(replica, now, System.nanoTime());
            }
        }
        this.outages.gaveUp(replica, now);
        this.watch.probeSoon(replica);
        return null;
    }

    /**
     * Whether nobody has given a connection back for the later half of a wait for one, and no probe has come back since it
     * began. A pool that long queries keep full is not stuck: its node answers the monitor.
     */
    private boolean isStuck(int replica, long since) {
        if (this.replicas.get(replica).load().endedSince(since + (System.nanoTime() - since) / 2)) {
            return false;
        }
        NodeObservation newest = this.watch.state().replicas().get(replica).observation();
        return !(newest instanceof StandbyObservation) || newest.sampledAt() - since <= 0;
    }

    private boolean leadsToObservedStandby(Lease lease, ReplicaState replica) {
        BaseConnection driver = lease.driver();
        ConnectionProfile profile = lease.profile();
        if (driver == null || profile == null || !(replica.observation() instanceof StandbyObservation observed)) {
            return false;
        }
        if (!profile.identity().equals(observed.identity())) {
            this.otherServers.found(replica.name(), profile.identity(), observed, System.nanoTime());
            return false;
        }
        return ConnectionProfiles.isStandby(driver);
    }

    /** Borrows from a node's pool; the first time a physical connection is seen, asks its server who it is. */
    Lease borrow(int node) throws SQLException {
        NodePool pool = node == Lease.WRITER ? this.writer : this.replicas.get(node);
        NodeLoad.Use use = pool.load().begin();
        Lease lease = null;
        try {
            lease = borrow(node, pool, use);
            return lease;
        } finally {
            if (lease == null) {
                use.fail();
            }
        }
    }

    private Lease borrow(int node, NodePool pool, NodeLoad.Use use) throws SQLException {
        Connection physical = pool.dataSource().getConnection();
        try {
            BaseConnection driver =
                    physical.isWrapperFor(BaseConnection.class) ? physical.unwrap(BaseConnection.class) : null;
            ConnectionProfile profile =
                    driver != null && !this.replicas.isEmpty() ? this.profiles.of(driver, pool.patienceMillis()) : null;
            if (node == Lease.WRITER && profile != null) {
                this.defaultIsolation = profile.defaultIsolation();
            }
            return new Lease(node, pool, physical, driver, profile, use);
        } catch (SQLException | RuntimeException ex) {
            pool.evict(physical);
            throw ex;
        }
    }

    /** A connection to a replica was lost while it was in use. */
    void lost(Lease lease) {
        if (!lease.isWriter()) {
            this.outages.failed(lease.node(), lease.askedAt(), System.nanoTime());
            this.watch.probeSoon(lease.node());
        }
    }

    /** A replica does not answer the monitor any more. */
    void silent(int replica) {
        this.outages.silent(replica, System.nanoTime());
    }

    /** Cuts every connection to a server, also those in use, which would wait for it for ever. */
    void abort(ServerIdentity server) {
        this.profiles.abort(server);
    }
}
