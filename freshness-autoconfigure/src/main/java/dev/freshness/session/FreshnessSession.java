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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The floors of one client across a request or unit of work, one set for each database, and the nodes that served it. All
 * threads of that unit share it.
 *
 * <p>Positions that came from outside, by {@link #carry}, are taken as they are until a sample of the writer that was begun
 * after they arrived shows that they are none of its history. Then what they stand for is unknown, and that sample tells
 * what reads owe.
 *
 * <p>What it does when it cannot know: a session of unknown history starts with unknown floors, which only the writer
 * meets.
 *
 * <p>Thread-safe; floors rise atomically. Holds no threads and no connections.
 */
public final class FreshnessSession {

    /** How many cohorts there are; they are numbered from 0. */
    public static final int COHORTS = 100;

    private static final int UNKNOWN_COHORT = -1;

    private final SessionFloors initial;

    private final SessionListener listener;

    private final ConcurrentMap<String, SessionFloors> floors = new ConcurrentHashMap<>();

    private final ConcurrentMap<String, ReadFloor> reads = new ConcurrentHashMap<>();

    private final Set<String> doubted = ConcurrentHashMap.newKeySet(1);

    private final AtomicInteger writes = new AtomicInteger();

    private final AtomicInteger changes = new AtomicInteger();

    private final List<String> servedBy = new CopyOnWriteArrayList<>();

    private final AtomicReference<@Nullable Boolean> enforced = new AtomicReference<>();

    private final AtomicInteger cohort = new AtomicInteger(UNKNOWN_COHORT);

    private FreshnessSession(Floor initial, SessionListener listener) {
        this.initial = SessionFloors.of(Floors.of(initial));
        this.listener = listener;
    }

    /**
     * A session of a client that is known to have written nothing.
     *
     * @return a new session
     */
    public static FreshnessSession ofNewClient() {
        return ofNewClient(SessionListener.NONE);
    }

    /**
     * A session of a client that is known to have written nothing but what is carried into it.
     *
     * @param listener told of what happens in it
     * @return a new session
     */
    public static FreshnessSession ofNewClient(SessionListener listener) {
        return new FreshnessSession(Floor.none(), listener);
    }

    /**
     * A session of which nothing is known.
     *
     * @param now {@link System#nanoTime()}
     * @return a new session
     */
    public static FreshnessSession ofUnknownClient(long now) {
        return ofUnknownClient(now, SessionListener.NONE);
    }

    /**
     * A session of which nothing is known.
     *
     * @param now {@link System#nanoTime()}
     * @param listener told of what happens in it
     * @return a new session
     */
    public static FreshnessSession ofUnknownClient(long now, SessionListener listener) {
        return new FreshnessSession(Floor.unknown(now), listener);
    }

    /**
     * The group of clients that this one belongs to where contracts are enforced for some only: drawn by lot unless it was
     * carried here.
     *
     * @return from 0 to {@link #COHORTS} - 1, always the same
     */
    public int cohort() {
        if (this.cohort.get() == UNKNOWN_COHORT) {
            this.cohort.compareAndSet(
                    UNKNOWN_COHORT, ThreadLocalRandom.current().nextInt(COHORTS));
        }
        return this.cohort.get();
    }

    /**
     * Puts the client into the cohort that it was in before. Does nothing once it is in one.
     *
     * @param carried from 0 to {@link #COHORTS} - 1
     */
    public void carryCohort(int carried) {
        this.cohort.compareAndSet(UNKNOWN_COHORT, carried);
    }

    /**
     * Whether it is settled that contracts are only observed for this session.
     *
     * @return false if they are enforced, and as long as nobody has asked
     */
    public boolean isObserved() {
        return Boolean.FALSE.equals(this.enforced.get());
    }

    /**
     * Whether contracts are enforced for this session, and not only observed.
     *
     * @param percentage how many of a hundred cohorts they are enforced for; only the first question counts, so that a
     *     session is treated in one way to its end
     * @return the same for every question
     */
    public boolean isEnforced(int percentage) {
        Boolean known = this.enforced.get();
        if (known == null) {
            this.enforced.compareAndSet(null, cohort() < percentage);
            known = this.enforced.get();
        }
        return Boolean.TRUE.equals(known);
    }

    /**
     * The floors of a database.
     *
     * @param database its name
     * @return the floors as they are now
     */
    public Floors floors(String database) {
        return state(database).floors();
    }

    /**
     * What reads of everything in a database owe to.
     *
     * @param database its name
     * @return the floor as it is now
     */
    public Floor floor(String database) {
        return floors(database).all();
    }

    /**
     * The floors of a database, in the light of the newest sample of its writer.
     *
     * @param database its name
     * @param sample the newest live sample of its writer, null for none
     * @return the floors as they are now
     */
    public Floors floors(String database, @Nullable PrimaryObservation sample) {
        SessionFloors known = state(database);
        if (known.isSettled()) {
            return known.floors();
        }
        // Another thread may have raised them meanwhile: look at what is there, not at what was seen.
        return change(database, state -> state.inTheLightOf(sample, this.listener, database));
    }

    /**
     * Gives the floors of a database positions by a sample of its writer that was asked for because of them.
     *
     * @param database its name
     * @param sample the newest live sample of its writer, null for none
     * @return the floors as they are now
     */
    public Floors resolve(String database, @Nullable PrimaryObservation sample) {
        return change(
                database,
                state -> state.inTheLightOf(sample, this.listener, database).resolvedOnDemandBy(sample));
    }

    /**
     * Adds what a token or another service says that this client's reads owe to.
     *
     * @param database the database
     * @param carried what it says
     * @param arrivedAt {@link System#nanoTime()} when it arrived
     */
    public void carry(String database, Floors carried, long arrivedAt) {
        change(database, state -> state.carrying(carried, arrivedAt));
    }

    /** What was carried in last was written on behalf of this session, whose client has to be told. */
    public void adopted() {
        countWrite();
    }

    /**
     * Whether a token that was carried into this session says something else of a database than what is known now, its own
     * writes apart.
     *
     * @param database its name
     * @return whether floors were replaced in the light of a sample
     */
    public boolean isReplaced(String database) {
        return state(database).replaced();
    }

    /**
     * Since when a sample of the writer must have been begun to tell more about the floors of a database.
     *
     * @param database its name
     * @param newest the newest live sample of its writer, null for none
     * @param check whether that goes for positions, too, that were carried in and are not held against the writer yet
     * @return {@link System#nanoTime()}, null if no sample tells more
     */
    public @Nullable Long awaitsSampleAfter(String database, @Nullable PrimaryObservation newest, boolean check) {
        return state(database).awaitsSampleAfter(newest, check);
    }

    /**
     * The databases that something is known of.
     *
     * @return their names, in no order
     */
    public Set<String> databases() {
        return Set.copyOf(this.floors.keySet());
    }

    /**
     * Notes that a read was not served by a replica because of what was carried into this session.
     *
     * @param database the database
     * @return whether that is news and a sample of the writer may tell more
     */
    public boolean doubt(String database) {
        SessionFloors state = state(database);
        boolean news = state.carried() && !state.isSettled() && this.doubted.add(database);
        if (news) {
            this.changes.incrementAndGet();
        }
        return news;
    }

    /**
     * Whether {@link #doubt} was noted.
     *
     * @param database the database
     * @return whether it was
     */
    public boolean isDoubted(String database) {
        return this.doubted.contains(database);
    }

    /**
     * Raises floors to a position that somebody else vouches for.
     *
     * @param database the database that was written
     * @param position the position, captured at an unknown time
     */
    public void require(String database, WalPosition position) {
        change(database, state -> state.written(Set.of(), floor -> floor.requiring(position), System.nanoTime()));
        countWrite();
    }

    /**
     * How often something was written to a database in this session. Resolving a floor does not count.
     *
     * @param database its name
     * @return a number that grows with each write
     */
    public int writes(String database) {
        return state(database).writes();
    }

    /**
     * How often something happened in this session that a token may have to tell: a write, a doubt, a
     * read that later ones may not go back behind.
     *
     * @return a number that grows
     */
    public int changes() {
        return this.changes.get();
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
     * Raises floors after a commit, whose position also takes the place of those that are not known yet.
     *
     * @param database the database that was written
     * @param scopes the scopes that were written, none for anything
     * @param position the commit's position
     * @param askedAt {@link System#nanoTime()} before the position was asked for
     * @param writer the server that answered
     */
    public void raise(String database, Set<String> scopes, WalPosition position, long askedAt, ServerIdentity writer) {
        change(
                database,
                state -> state.heldAgainst(position, askedAt, this.listener, database)
                        .written(scopes, floor -> floor.raisedTo(position, askedAt, writer), System.nanoTime())
                        .resolvedBy(position, askedAt, writer));
        countWrite();
    }

    /**
     * Makes floors unknown after a write whose position was not captured.
     *
     * @param database the database that was or may have been written
     * @param scopes the scopes that were written, none for anything
     * @param now {@link System#nanoTime()} after the write
     * @param writer the server that took it, null if not known
     * @param done whether the write is over; one that may go on is not resolved by samples
     */
    public void mark(String database, Set<String> scopes, long now, @Nullable ServerIdentity writer, boolean done) {
        change(database, state -> state.written(scopes, floor -> floor.marked(now, writer, done), now));
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
        this.changes.incrementAndGet();
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

    private SessionFloors state(String database) {
        return this.floors.getOrDefault(database, this.initial);
    }

    /** After the floor has changed: who sees the count sees the floor, and not the other way round. */
    private void countWrite() {
        this.writes.incrementAndGet();
        this.changes.incrementAndGet();
    }

    private Floors change(String database, UnaryOperator<SessionFloors> change) {
        return this.floors
                .compute(database, (key, current) -> change.apply(current == null ? this.initial : current))
                .floors();
    }

    /**
     * Notes that a unit ran on a node.
     *
     * @param node the node's name
     */
    public void servedBy(String node) {
        if (!this.servedBy.contains(node)) {
            this.servedBy.add(node);
            this.listener.servedBy(List.copyOf(this.servedBy));
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
