/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.WalPosition;
import org.jspecify.annotations.Nullable;

/**
 * What a client's reads must include. A floor only rises.
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface Floor {

    /**
     * The floor of a client that is known to have written nothing.
     *
     * @return always the same one
     */
    static Floor none() {
        return None.INSTANCE;
    }

    /**
     * A floor for a client of whom nothing is known. Only a later commit of the same session replaces it.
     *
     * @param now {@link System#nanoTime()}
     * @return the floor
     */
    static Floor unknown(long now) {
        return new Unknown(now, null, true);
    }

    /**
     * This floor after a commit whose position was captured.
     *
     * @param position the commit's position
     * @param askedAt {@link System#nanoTime()} before the position was asked for
     * @param writer the server that answered
     * @return the higher of both; {@link Unknown} if they do not compare, or if this floor is unknown and arose after the
     *     position was asked for or on another server
     */
    Floor raisedTo(WalPosition position, long askedAt, ServerIdentity writer);

    /**
     * This floor after a write whose position is not known.
     *
     * @param now {@link System#nanoTime()} after the write was done
     * @param writer the server that took it, null if that is not known
     * @param done whether the write is over; one that may go on is not resolved by samples
     * @return an unknown floor
     */
    default Floor marked(long now, @Nullable ServerIdentity writer, boolean done) {
        return new Unknown(now, writer, done);
    }

    /**
     * This floor in the light of a sample of the writer: a write whose position is not known lies at or below any
     * position that its own server reports later.
     *
     * @param sample the newest live sample of the writer, null for none
     * @return a floor with a position, or this one
     */
    default Floor resolvedBy(@Nullable PrimaryObservation sample) {
        return this;
    }

    /**
     * This floor in the light of a sample of the writer that was asked for because of it. Goes further than
     * {@link #resolvedBy}: what a client of unknown history has written was written before, on whichever server.
     *
     * @param sample the newest live sample of the writer, null for none
     * @return a floor with a position, or this one
     */
    default Floor resolvedOnDemandBy(@Nullable PrimaryObservation sample) {
        return this;
    }

    /**
     * This floor in the light of a commit of the same session that was none of what this floor is for: it gives a position
     * where one was missing.
     *
     * @param position the commit's position
     * @param askedAt {@link System#nanoTime()} before the position was asked for
     * @param writer the server that answered
     * @return a floor with a position, or this one
     */
    default Floor resolvedBy(WalPosition position, long askedAt, ServerIdentity writer) {
        return this;
    }

    /**
     * This floor, and a position that somebody else vouches for.
     *
     * @param position the position, captured at an unknown time
     * @return the higher of both; an unknown floor stays unknown, and becomes so if the two do not compare
     */
    Floor requiring(WalPosition position);

    /**
     * What reads must include that owe to both this floor and another.
     *
     * @param other another floor, whose position may have been captured at any time until now
     * @return the higher of both; unknown if either is, or if they do not compare
     */
    default Floor and(Floor other) {
        if (other instanceof None) {
            return this;
        }
        if (other instanceof At at) {
            return requiring(at.position());
        }
        if (this instanceof Unknown one && other instanceof Unknown another) {
            return one.orElse(another);
        }
        return this instanceof At at ? other.requiring(at.position()) : other;
    }

    /** See {@link Floor#none}. */
    record None() implements Floor {

        private static final None INSTANCE = new None();

        @Override
        public Floor raisedTo(WalPosition position, long askedAt, ServerIdentity writer) {
            return new At(position);
        }

        @Override
        public Floor requiring(WalPosition position) {
            return new At(position);
        }

        @Override
        public String toString() {
            return "none";
        }
    }

    /**
     * Reads must include everything up to a position.
     *
     * @param position the position
     */
    record At(WalPosition position) implements Floor {

        @Override
        public Floor raisedTo(WalPosition other, long askedAt, ServerIdentity writer) {
            if (!this.position.isOfSameHistory(other)) {
                return new Unknown(askedAt, Unknown.SEVERAL, false);
            }
            return this.position.lsn().isAtOrPast(other.lsn()) ? this : new At(other);
        }

        @Override
        public Floor requiring(WalPosition other) {
            return raisedTo(other, System.nanoTime(), Unknown.SEVERAL);
        }

        @Override
        public String toString() {
            return this.position.toString();
        }
    }

    /**
     * Something may have been written, nobody knows where.
     *
     * @param since {@link System#nanoTime()} when this arose
     * @param writer the server that took the write, null if not known
     * @param resolvable whether everything that this floor stands for is over, so that a later sample of that server
     *     gives a position
     */
    record Unknown(long since, @Nullable ServerIdentity writer, boolean resolvable) implements Floor {

        /** Writes on several servers: no position of any one of them includes all. */
        private static final ServerIdentity SEVERAL = new ServerIdentity(0, Long.MIN_VALUE);

        @Override
        public Floor raisedTo(WalPosition position, long askedAt, ServerIdentity server) {
            if (askedAt - this.since < 0) {
                return this;
            }
            boolean sameServer = this.writer == null || this.writer.equals(server);
            return sameServer ? new At(position) : new Unknown(askedAt, SEVERAL, false);
        }

        @Override
        public Floor marked(long now, @Nullable ServerIdentity server, boolean done) {
            if (this.writer == null) {
                return new Unknown(now, server, done);
            }
            return this.writer.equals(server)
                    ? new Unknown(now, server, this.resolvable && done)
                    : new Unknown(now, SEVERAL, false);
        }

        @Override
        public Floor resolvedBy(@Nullable PrimaryObservation sample) {
            if (!this.resolvable || sample == null || !sample.identity().equals(this.writer)) {
                return this;
            }
            return sample.sampledAt() - this.since > 0 ? new At(sample.positionAfter(this.since)) : this;
        }

        @Override
        public Floor resolvedBy(WalPosition position, long askedAt, ServerIdentity server) {
            boolean sameServer = this.writer == null || this.writer.equals(server);
            return this.resolvable && sameServer && askedAt - this.since >= 0 ? new At(position) : this;
        }

        @Override
        public Floor resolvedOnDemandBy(@Nullable PrimaryObservation sample) {
            if (this.writer != null || !this.resolvable || sample == null) {
                return resolvedBy(sample);
            }
            return sample.sampledAt() - this.since > 0 ? new At(sample.positionAfter(this.since)) : this;
        }

        /**
         * Whether the server that took the writes is known not to be the writer any more, so that no sample tells of them.
         *
         * @param sample the newest live sample of the writer, null for none
         * @return false if either is not known
         */
        public boolean isOfOtherServerThan(@Nullable PrimaryObservation sample) {
            return this.writer != null && sample != null && !this.writer.equals(sample.identity());
        }

        /** What stands for the writes of both. */
        private Unknown orElse(Unknown other) {
            long newest = this.since - other.since >= 0 ? this.since : other.since;
            boolean oneServer = this.writer == null || other.writer == null || this.writer.equals(other.writer);
            return oneServer
                    ? new Unknown(
                            newest,
                            this.writer == null ? other.writer : this.writer,
                            this.resolvable && other.resolvable)
                    : new Unknown(newest, SEVERAL, false);
        }

        @Override
        public Floor requiring(WalPosition position) {
            // Only what the writer says from now on is sure to lie above it.
            return new Unknown(System.nanoTime(), this.writer, this.resolvable);
        }

        @Override
        public String toString() {
            return "unknown";
        }
    }
}
