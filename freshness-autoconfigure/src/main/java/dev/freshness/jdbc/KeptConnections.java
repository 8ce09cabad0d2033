/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.ContractConflictException;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.routing.Reason;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.session.FreshnessSession;
import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.ReplicaState;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on units whose connection may not be exchanged, because a statement outside of a transaction may have set
 * something on its session.
 *
 * <p>Guarantees that such a unit runs on that connection or not at all: on the writer always, on a replica while that meets
 * the contract. Says once that reads stay on the writer for that.
 *
 * <p>Thread-safe. Owns nothing.
 */
final class KeptConnections {

    private static final Logger logger = LoggerFactory.getLogger(KeptConnections.class);

    private final UnitRouting routing;

    private final DecisionLog log;

    private volatile boolean warned;

    KeptConnections(UnitRouting routing, DecisionLog log) {
        this.routing = routing;
        this.log = log;
    }

    /**
     * A unit on a kept connection.
     *
     * @param exchange holds the connection
     * @param kept the connection
     * @param contract the contract in force, null for unmarked work
     * @param session the session in force, if any
     * @param needsWriter why the unit needs the writer, null if a replica could do
     * @throws ContractConflictException if the unit cannot run there
     */
    Unit unit(
            UnitRouting.Exchange exchange,
            Lease kept,
            @Nullable FreshnessContract contract,
            @Nullable FreshnessSession session,
            @Nullable Reason needsWriter)
            throws SQLException {
        if (kept.isWriter()) {
            return this.routing.onWriter(exchange, contract, session, reason(kept, contract, needsWriter));
        }
        if (contract == null || session == null || needsWriter != null) {
            throw conflict(kept, "work that only the writer may do");
        }
        return onReplica(exchange, kept, contract, session);
    }

    private @Nullable Reason reason(Lease kept, @Nullable FreshnessContract contract, @Nullable Reason needsWriter) {
        if (needsWriter != null || contract == null) {
            return needsWriter;
        }
        if (contract.mode() == FreshnessMode.AUTHORITATIVE_NOW) {
            return Reason.AUTHORITATIVE;
        }
        if (!this.warned) {
            this.warned = true;
            logger.warn(
                    "Reads under a contract stay on {}, because a statement outside of a transaction on the same connection"
                            + " may have set something on its session. Settings of sessions belong on the pools, for"
                            + " example in connection-init-sql. This is said once",
                    kept.nodeName());
        }
        return Reason.SESSION_STATE;
    }

    private Unit onReplica(
            UnitRouting.Exchange exchange, Lease kept, FreshnessContract contract, FreshnessSession session)
            throws SQLException {
        Lease lease = exchange.to(kept.node());
        int writes = session.writes(this.routing.database());
        DatabaseState state = this.routing.state();
        long now = System.nanoTime();
        ReplicaState replica = state.replicas().get(lease.node());
        Reason unmet = this.routing.unmet(contract, session, lease.node(), state, now);
        if (unmet != null) {
            throw conflict(lease, contract.mode() + " of " + contract.declaredBy() + ": " + unmet.tag());
        }
        this.log.decided(contract, session, RoutingDecision.keptOn(lease.node()));
        return new Unit(lease, contract, writes, replica, true);
    }

    private static ContractConflictException conflict(Lease lease, String what) {
        return new ContractConflictException(
                "An earlier statement outside of a transaction may have set something on the"
                        + " session of " + lease.nodeName()
                        + ", so this connection stays there until it is closed, which does not"
                        + " go with " + what
                        + ". Settings of sessions belong on the pools, for example in connection-init-sql");
    }
}
