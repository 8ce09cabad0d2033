/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.WalPosition;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The floors of one client across a request or unit of work, one for each database, and the nodes that served it.
 *
 * <p>What it does when it cannot know: a session of unknown history starts with unknown floors, which only the writer
 * meets.
 *
 * <p>Thread-safe; floors rise atomically. Holds no threads and no connections.
 */
public final class FreshnessSession {

    private final Floor initial;

    private final ConcurrentMap<String, Floor> floors = new ConcurrentHashMap<>();

    private final List<String> servedBy = new CopyOnWriteArrayList<>();

    private final @Nullable Consumer<List<String>> onNewNode;

    private FreshnessSession(Floor initial, @Nullable Consumer<List<String>> onNewNode) {
        this.initial = initial;
        this.onNewNode = onNewNode;
    }

    /**
     * A session of a client that is known to have written nothing.
     *
     * @return a new session
     */
    public static FreshnessSession ofNewClient() {
        return new FreshnessSession(Floor.none(), null);
    }

    /**
     * A session of a client that is known to have written nothing.
     *
     * @param onNewNode told of the nodes in order of first use whenever one is added, on the thread that used it
     * @return a new session
     */
    public static FreshnessSession ofNewClient(Consumer<List<String>> onNewNode) {
        return new FreshnessSession(Floor.none(), onNewNode);
    }

    /**
     * A session of which nothing is known.
     *
     * @param now {@link System#nanoTime()}
     * @return a new session
     */
    public static FreshnessSession ofUnknownClient(long now) {
        return new FreshnessSession(Floor.unknown(now), null);
    }

    /**
     * The floor of a database.
     *
     * @param database its name
     * @return the floor as it is now
     */
    public Floor floor(String database) {
        return this.floors.getOrDefault(database, this.initial);
    }

    /**
     * The floor of a database, with a position where the newest sample of its writer gives one.
     *
     * @param database its name
     * @param sample the newest live sample of its writer, null for none
     * @return the floor as it is now
     */
    public Floor floor(String database, @Nullable PrimaryObservation sample) {
        Floor floor = floor(database);
        Floor resolved = floor.resolvedBy(sample);
        if (resolved != floor) {
            // Another thread may have raised it meanwhile: resolve what is there, not what was seen.
            return this.floors.compute(
                    database, (key, current) -> (current == null ? this.initial : current).resolvedBy(sample));
        }
        return floor;
    }

    /**
     * Raises a floor after a commit.
     *
     * @param database the database that was written
     * @param position the commit's position
     * @param askedAt {@link System#nanoTime()} before the position was asked for
     * @param writer the server that answered
     */
    public void raise(String database, WalPosition position, long askedAt, ServerIdentity writer) {
        this.floors.compute(
                database,
                (key, current) -> (current == null ? this.initial : current).raisedTo(position, askedAt, writer));
    }

    /**
     * Makes a floor unknown after a write whose position was not captured.
     *
     * @param database the database that was or may have been written
     * @param now {@link System#nanoTime()} after the write
     * @param writer the server that took it, null if not known
     */
    public void mark(String database, long now, @Nullable ServerIdentity writer) {
        this.floors.compute(database, (key, current) -> (current == null ? this.initial : current).marked(now, writer));
    }

    /**
     * Notes that a unit ran on a node.
     *
     * @param node the node's name
     */
    public void servedBy(String node) {
        if (!this.servedBy.contains(node)) {
            this.servedBy.add(node);
            if (this.onNewNode != null) {
                this.onNewNode.accept(List.copyOf(this.servedBy));
            }
        }
    }

    /**
     * The nodes that served this session.
     *
     * @return their names in order of first use
     */
    public List<String> servedBy() {
        return List.copyOf(this.servedBy);
    }
}
