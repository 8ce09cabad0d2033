/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import dev.freshness.topology.PrimaryObservation;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The floors of one client on one database: a general one, and those of the business objects it wrote, called scopes. A
 * read of some scopes owes to the general floor and to theirs, any other read to all.
 *
 * <p>Scopes are known by a hash of their name only. Where two share one, their reads owe to both.
 *
 * <p>What it does when it cannot know: a scope that no longer has a floor of its own is part of the general one.
 *
 * <p>Immutable and thread-safe.
 */
public final class Floors {

    /** More scopes than this are not told apart; the oldest become part of the general floor. */
    public static final int MOST_SCOPES = 8;

    private static final Floors NONE = of(Floor.none());

    private final Floor general;

    private final Map<Long, Floor> scopes;

    private final Floor all;

    private final boolean known;

    private Floors(Floor general, Map<Long, Floor> scopes) {
        this.general = general;
        this.scopes = scopes;
        Floor highest = general;
        boolean noUnknown = !(general instanceof Floor.Unknown);
        for (Floor scoped : scopes.values()) {
            highest = highest.and(scoped);
            noUnknown &= !(scoped instanceof Floor.Unknown);
        }
        this.all = highest;
        this.known = noUnknown;
    }

    /**
     * The floors of a client that has written nothing.
     *
     * @return always the same ones
     */
    public static Floors none() {
        return NONE;
    }

    /**
     * Floors without scopes.
     *
     * @param general what every read owes to
     * @return the floors
     */
    public static Floors of(Floor general) {
        return new Floors(general, Map.of());
    }

    /**
     * Floors with scopes.
     *
     * @param general what every read owes to
     * @param scopes what reads of scopes owe to besides, by {@link #key}, the oldest first; the oldest of more than
     *     {@link #MOST_SCOPES} become part of the general floor
     * @return the floors
     */
    public static Floors of(Floor general, Map<Long, Floor> scopes) {
        Floor raised = general;
        LinkedHashMap<Long, Floor> kept = new LinkedHashMap<>(scopes);
        for (Iterator<Floor> oldest = kept.values().iterator(); kept.size() > MOST_SCOPES; ) {
            raised = raised.and(oldest.next());
            oldest.remove();
        }
        return new Floors(raised, Collections.unmodifiableMap(kept));
    }

    /**
     * What a scope is known by: its name's 64-bit FNV-1a hash over UTF-16 code units, folded to 32 bits so that tokens stay
     * small. The same in every process.
     *
     * @param scope the scope's name
     * @return the hash, from 0 to 2^32 - 1
     */
    public static long key(String scope) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < scope.length(); i++) {
            hash = (hash ^ scope.charAt(i)) * 0x100000001b3L;
        }
        return (hash ^ hash >>> Integer.SIZE) & 0xffffffffL;
    }

    /**
     * What every read owes to.
     *
     * @return the general floor
     */
    public Floor general() {
        return this.general;
    }

    /**
     * The floors of scopes.
     *
     * @return what reads of a scope owe to besides the general floor, by {@link #key}, the oldest first
     */
    public Map<Long, Floor> scopes() {
        return this.scopes;
    }

    /**
     * What a read of everything owes to.
     *
     * @return the highest of all floors
     */
    public Floor all() {
        return this.all;
    }

    /**
     * What a read owes to.
     *
     * @param read the scopes it reads, none for everything
     * @return the highest of the general floor and theirs
     */
    public Floor required(Set<String> read) {
        if (read.isEmpty() || this.scopes.isEmpty()) {
            return this.all;
        }
        Floor required = this.general;
        for (String scope : read) {
            Floor scoped = this.scopes.get(key(scope));
            required = scoped == null ? required : required.and(scoped);
        }
        return required;
    }

    /**
     * Whether nobody has written anything.
     *
     * @return whether every floor is none
     */
    public boolean isNone() {
        return this.all instanceof Floor.None;
    }

    /**
     * Whether no floor is unknown.
     *
     * @return false if a sample of the writer may give one of them a position
     */
    public boolean isKnown() {
        return this.known;
    }

    /** These floors after a write. */
    Floors written(Set<String> written, UnaryOperator<Floor> change) {
        if (written.isEmpty()) {
            return new Floors(change.apply(this.general), this.scopes);
        }
        LinkedHashMap<Long, Floor> changed = new LinkedHashMap<>(this.scopes);
        for (String scope : written) {
            long key = key(scope);
            Floor before = changed.remove(key);
            changed.put(key, change.apply(before == null ? Floor.none() : before));
        }
        return of(this.general, changed);
    }

    /** These floors in the light of a sample of the writer. */
    Floors resolvedBy(@Nullable PrimaryObservation sample) {
        return this.known ? this : each(floor -> floor.resolvedBy(sample));
    }

    /** These floors in the light of a sample of the writer that was asked for because of them. */
    Floors resolvedOnDemandBy(@Nullable PrimaryObservation sample) {
        return this.known ? this : each(floor -> floor.resolvedOnDemandBy(sample));
    }

    /** These floors, each of them changed; the same object if none is. */
    Floors each(UnaryOperator<Floor> change) {
        boolean same = true;
        LinkedHashMap<Long, Floor> changed = new LinkedHashMap<>();
        for (Map.Entry<Long, Floor> scoped : this.scopes.entrySet()) {
            Floor after = change.apply(scoped.getValue());
            changed.put(scoped.getKey(), after);
            same &= after.equals(scoped.getValue());
        }
        Floor after = change.apply(this.general);
        return same && after.equals(this.general) ? this : of(after, changed);
    }

    /**
     * What the reads of a client owe that these floors and others speak of.
     *
     * @param other other floors of the same client, with positions captured at unknown times
     * @param now {@link System#nanoTime()}
     * @return for each read the higher of both; resolved on demand where they are of different histories
     */
    public Floors and(Floors other, long now) {
        LinkedHashMap<Long, Floor> joined = new LinkedHashMap<>(this.scopes);
        other.scopes.forEach((scope, floor) -> joined.merge(scope, floor, (one, another) -> joined(one, another, now)));
        return of(joined(this.general, other.general, now), joined);
    }

    private static Floor joined(Floor one, Floor other, long now) {
        boolean unrelated = one instanceof Floor.At at
                && other instanceof Floor.At another
                && !at.position().isOfSameHistory(another.position());
        // At most one of the two is of the writer's history, and a position it gives from now on includes that.
        return unrelated ? Floor.unknown(now) : one.and(other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Floors floors
                && this.general.equals(floors.general)
                && this.scopes.equals(floors.scopes);
    }

    @Override
    public int hashCode() {
        return 31 * this.general.hashCode() + this.scopes.hashCode();
    }

    @Override
    public String toString() {
        return this.scopes.isEmpty()
                ? this.general.toString()
                : this.general + " and " + this.scopes.size() + " scopes";
    }
}
