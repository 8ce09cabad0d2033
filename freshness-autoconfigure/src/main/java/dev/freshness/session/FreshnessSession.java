/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.WalPosition;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
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

    private final Entry initial;

    private final ConcurrentMap<String, Entry> floors = new ConcurrentHashMap<>();

    private final ConcurrentMap<String, ReadFloor> reads = new ConcurrentHashMap<>();

    private final AtomicInteger writes = new AtomicInteger();

    private final List<String> servedBy = new CopyOnWriteArrayList<>();

    private final @Nullable Consumer<List<String>> onNewNode;

    private FreshnessSession(Floor initial, @Nullable Consumer<List<String>> onNewNode) {
        this.initial = new Entry(initial, 0);
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
        return entry(database).floor();
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
        if (floor.resolvedBy(sample) == floor) {
            return floor;
        }
        // Another thread may have raised it meanwhile: resolve what is there, not what was seen.
        return change(database, entry -> entry.with(entry.floor().resolvedBy(sample)));
    }

    /**
     * Gives the floor of a database a position by a sample of its writer that was asked for because of it.
     *
     * @param database its name
     * @param sample the newest live sample of its writer, null for none
     * @return the floor as it is now
     */
    public Floor resolve(String database, @Nullable PrimaryObservation sample) {
        return change(database, entry -> entry.with(entry.floor().resolvedOnDemandBy(sample)));
    }

    /**
     * Raises a floor to a position that somebody else vouches for.
     *
     * @param database the database that was written
     * @param position the position, captured at an unknown time
     */
    public void require(String database, WalPosition position) {
        change(database, entry -> entry.written(floor -> floor.requiring(position)));
        countWrite();
    }

    /**
     * How often something was written to a database in this session. Resolving a floor does not count.
     *
     * @param database its name
     * @return a number that grows with each write
     */
    public int writes(String database) {
        return entry(database).writes();
    }

    /**
     * How often something was written in this session, to whatever database.
     *
     * @return a number that grows with each write
     */
    public int writes() {
        return this.writes.get();
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
        change(database, entry -> entry.written(floor -> floor.raisedTo(position, askedAt, writer)));
        countWrite();
    }

    /**
     * Makes a floor unknown after a write whose position was not captured.
     *
     * @param database the database that was or may have been written
     * @param now {@link System#nanoTime()} after the write
     * @param writer the server that took it, null if not known
     * @param done whether the write is over; one that may go on is not resolved by samples
     */
    public void mark(String database, long now, @Nullable ServerIdentity writer, boolean done) {
        change(database, entry -> entry.written(floor -> floor.marked(now, writer, done)));
        countWrite();
    }

    /**
     * Notes a read that later monotonic reads must not go back behind.
     *
     * @param database the database that was read
     * @param node the index of the replica it ran on, or {@link ReadFloor#WRITER}
     * @param server the server it ran on, null if not known
     * @param timeline the timeline of that server, 0 if not known
     * @param now {@link System#nanoTime()} after the read
     */
    public void readOn(String database, int node, @Nullable ServerIdentity server, int timeline, long now) {
        this.reads.merge(
                database,
                ReadFloor.none().readOn(node, server, timeline, now),
                (before, first) -> before.readOn(node, server, timeline, now));
    }

    /**
     * What monotonic reads owe to those before them.
     *
     * @param state the database
     * @param now {@link System#nanoTime()}
     * @return what is owed now, with a position where the newest samples give one
     */
    public ReadFloor reads(DatabaseState state, long now) {
        ReadFloor owed = this.reads.get(state.database());
        if (owed == null) {
            return ReadFloor.none();
        }
        if (!owed.pending() || owed.resolvedBy(state, now).pending()) {
            return owed;
        }
        ReadFloor resolved =
                this.reads.computeIfPresent(state.database(), (database, newest) -> newest.resolvedBy(state, now));
        return resolved == null ? owed : resolved;
    }

    private Entry entry(String database) {
        return this.floors.getOrDefault(database, this.initial);
    }

    /** After the floor has changed: who sees the count sees the floor, and not the other way round. */
    private void countWrite() {
        this.writes.incrementAndGet();
    }

    private Floor change(String database, UnaryOperator<Entry> change) {
        return this.floors
                .compute(database, (key, current) -> change.apply(current == null ? this.initial : current))
                .floor();
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

    private record Entry(Floor floor, int writes) {

        Entry with(Floor resolved) {
            return new Entry(resolved, this.writes);
        }

        Entry written(UnaryOperator<Floor> change) {
            return new Entry(change.apply(this.floor), this.writes + 1);
        }
    }
}
