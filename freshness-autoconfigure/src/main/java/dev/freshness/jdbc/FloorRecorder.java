/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.CommitInDoubtException;
import dev.freshness.FreshnessContract;
import dev.freshness.session.FreshnessSession;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the writes of connections do to the floors of sessions.
 *
 * <p>Guarantees that a floor has risen before the commit that raises it returns, and that a commit reports exactly what a
 * plain one would, whatever listeners do.
 *
 * <p>What it does when it cannot know: a commit in doubt and a write without a position make the floor unknown.
 *
 * <p>Thread-safe. Owns nothing.
 */
final class FloorRecorder {

    private static final Logger logger = LoggerFactory.getLogger(FloorRecorder.class);

    private final String database;

    private final boolean needed;

    private final WriteListener listener;

    private final CommitCapture capture = new CommitCapture();

    /**
     * Creates a recorder.
     *
     * @param needed whether there are replicas, without which nobody asks for floors
     */
    FloorRecorder(String database, boolean needed, WriteListener listener) {
        this.database = database;
        this.needed = needed;
        this.listener = listener;
    }

    /**
     * Commits what is open on a connection, and raises the floors of a session.
     *
     * @param scopes what was written, empty for anything
     */
    void commit(Lease owner, @Nullable FreshnessSession session, Set<String> scopes) throws SQLException {
        boolean recorded = owner.isWriter() && this.needed && session != null;
        long begun = recorded ? System.nanoTime() : 0;
        try {
            if (recorded && session != null) {
                CommitOutcome outcome = publish(this.capture.commit(owner), session, scopes);
                tell(outcome, System.nanoTime() - begun);
            } else {
                owner.physical().commit();
            }
        } catch (SQLException ex) {
            boolean inDoubt = owner.isWriter() && owner.isBroken();
            if (inDoubt) {
                // Not over: the server may still be about to commit, after any sample that is taken meanwhile.
                mark(owner, session, scopes, false);
                ex.addSuppressed(new CommitInDoubtException(owner.nodeName()));
            }
            if (recorded) {
                tell(inDoubt ? CommitOutcome.IN_DOUBT : CommitOutcome.REFUSED, System.nanoTime() - begun);
            }
            throw ex;
        }
    }

    /** Counts a commit that no session knows of. */
    void committedWithoutSession(Lease owner) {
        if (owner.isWriter() && this.needed) {
            try {
                this.listener.committedWithoutSession(this.database);
            } catch (RuntimeException ex) {
                logger.debug("A listener failed on a commit", ex);
            }
        }
    }

    /** What the listener makes of a commit changes nothing about it. */
    private void tell(CommitOutcome outcome, long nanos) {
        try {
            this.listener.committed(this.database, outcome, nanos);
        } catch (RuntimeException ex) {
            logger.debug("A listener failed on a commit", ex);
        }
    }

    private CommitOutcome publish(CommitResult result, FreshnessSession session, Set<String> scopes) {
        if (result instanceof CommitResult.Captured captured) {
            session.raise(this.database, scopes, captured.position(), captured.askedAt(), captured.writer());
            return CommitOutcome.CAPTURED;
        }
        if (result instanceof CommitResult.Unknown unknown) {
            session.mark(this.database, scopes, System.nanoTime(), unknown.writer(), true);
            return unknown.asked() ? CommitOutcome.POSITION_FAILED : CommitOutcome.DEFERRED;
        }
        return CommitOutcome.NOTHING_WRITTEN;
    }

    /**
     * Notes that something may have been written on a connection to the writer.
     *
     * @param scopes what it is of, empty for anything
     * @param done whether that is over
     */
    void mark(Lease owner, @Nullable FreshnessSession session, Set<String> scopes, boolean done) {
        if (session != null && this.needed) {
            ServerIdentity writer =
                    owner.profile() == null ? null : owner.profile().identity();
            session.mark(this.database, scopes, System.nanoTime(), writer, done);
        }
    }

    /**
     * Notes that a monotonic read ran on a connection.
     *
     * @param replica the replica as it was observed before, null on the writer
     */
    void read(Lease owner, @Nullable ReplicaState replica, FreshnessSession session) {
        if (session.isObserved()) {
            // It would have run elsewhere, and what would have followed from that is what is observed.
            return;
        }
        ConnectionProfile profile = owner.profile();
        int timeline = profile == null ? 0 : profile.timeline();
        if (replica != null && replica.observation() instanceof StandbyObservation standby) {
            timeline = standby.timeline();
        }
        session.readOn(
                this.database, owner.node(), profile == null ? null : profile.identity(), timeline, System.nanoTime());
    }

    /** Counts a statement that changed data under a contract. */
    void wroteUnderContract(FreshnessContract contract) {
        try {
            this.listener.wroteUnderContract(this.database, contract);
        } catch (RuntimeException ex) {
            logger.debug("A listener failed on a write under a contract", ex);
        }
    }
}
