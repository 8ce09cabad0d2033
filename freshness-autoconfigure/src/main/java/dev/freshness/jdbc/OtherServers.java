/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections of a replica's pool that led to another server than the monitor's. Once that is seen again after the monitor
 * has looked anew, so that it is no restart, it is said, once for each replica.
 *
 * <p>Thread-safe.
 */
final class OtherServers {

    private static final Logger logger = LoggerFactory.getLogger(OtherServers.class);

    private final String database;

    private final Map<String, Sighting> sightings = new ConcurrentHashMap<>();

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    OtherServers(String database) {
        this.database = database;
    }

    void found(String replica, ServerIdentity server, StandbyObservation observed, long now) {
        Sighting first = this.sightings.putIfAbsent(replica, new Sighting(observed.identity(), now));
        if (first == null || observed.sampledAt() - first.at() <= 0) {
            return;
        }
        if (!first.observed().equals(observed.identity())) {
            // The monitor's own connection leads elsewhere by now: perhaps for good.
            this.sightings.put(replica, new Sighting(observed.identity(), now));
        } else if (this.told.add(replica)) {
            logger.warn(
                    "freshness.replicas.{} of database {} leads to several servers: the monitor watches one that started"
                            + " at {}, and a connection of the pool led to one that started at {} (microseconds since"
                            + " 1970). Connections to the others are given up; give each server an entry of its own",
                    replica,
                    this.database,
                    observed.identity().startedAtMicros(),
                    server.startedAtMicros());
        }
    }

    private record Sighting(ServerIdentity observed, long at) {}
}
