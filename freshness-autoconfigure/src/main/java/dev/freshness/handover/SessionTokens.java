/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.handover;

import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.session.Floor;
import dev.freshness.session.Floors;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.Judgement;
import dev.freshness.session.ReadFloor;
import dev.freshness.session.SessionListener;
import dev.freshness.token.FreshnessToken;
import dev.freshness.token.TokenCodec;
import dev.freshness.token.TokenResult;
import dev.freshness.token.TokenVerification;
import dev.freshness.topology.PrimaryObservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes sessions out of tokens, and puts them into tokens.
 *
 * <p>Guarantees that a token is never below what its session owes, and that a text which is not a valid token changes
 * nothing.
 *
 * <p>What it does when it cannot know: floors that are still unknown when a token is made are resolved by one sample of the
 * writer on the monitor's connection, waited for in bounds; where that does not come in time, the token says that they are
 * unknown.
 *
 * <p>Thread-safe. Owns no threads and no connections.
 */
public final class SessionTokens {

    private static final Logger logger = LoggerFactory.getLogger(SessionTokens.class);

    /** More tokens than this are not looked at in one request. */
    public static final int MOST_TOKENS = 4;

    private final Iterable<FreshnessDatabase> databases;

    private final TokenCodec codec;

    private final Duration life;

    private final long patienceNanos;

    private final boolean carryReads;

    private final TokenListener listener;

    /**
     * Creates it.
     *
     * @param databases the databases that are routed
     * @param codec what signs and verifies
     * @param life how long a token counts
     * @param patience how long to wait at most for a sample of the writer when a token is made
     * @param carryReads whether reads raise a token, too
     * @param listener told what becomes of tokens
     */
    public SessionTokens(
            Iterable<FreshnessDatabase> databases,
            TokenCodec codec,
            Duration life,
            Duration patience,
            boolean carryReads,
            TokenListener listener) {
        this.databases = databases;
        this.codec = codec;
        this.life = life;
        this.patienceNanos = patience.toNanos();
        this.carryReads = carryReads;
        this.listener = listener;
    }

    /**
     * Whether floors matter at all.
     *
     * @return false if no database has replicas
     */
    public boolean areNeeded() {
        for (FreshnessDatabase database : this.databases) {
            if (database.hasReplicas()) {
                return true;
            }
        }
        return false;
    }

    /**
     * How long a token counts.
     *
     * @return the time to live
     */
    public Duration life() {
        return this.life;
    }

    /**
     * Adds what tokens say to a session.
     *
     * @param session the session
     * @param texts what came as tokens; more than {@link #MOST_TOKENS} are not looked at
     * @param principal who brought them, null for nobody in particular
     * @return what became of each that was looked at
     */
    public List<TokenResult> carry(FreshnessSession session, List<String> texts, @Nullable String principal) {
        if (texts.size() > MOST_TOKENS) {
            count(TokenResult.TOO_MANY);
            return carryAll(session, texts.subList(0, MOST_TOKENS), principal);
        }
        return carryAll(session, texts, principal);
    }

    private List<TokenResult> carryAll(FreshnessSession session, Collection<String> texts, @Nullable String principal) {
        if (texts.isEmpty()) {
            return List.of();
        }
        long now = System.nanoTime();
        List<TokenResult> results = new ArrayList<>(texts.size());
        for (String text : texts) {
            TokenVerification verification = this.codec.verify(text, principal, now);
            count(verification.result());
            results.add(verification.result());
            if (verification.token() != null) {
                carry(session, verification.token(), now);
            }
        }
        return results;
    }

    /**
     * A session that owes to what tokens say, for work that is none of a web request.
     *
     * @param texts any number of tokens, bound to nobody
     * @return the session; of unknown history if there is no token, or one that neither counts nor has expired, since then
     *     nobody knows what came before
     */
    public FreshnessSession open(Collection<String> texts) {
        FreshnessSession session = FreshnessSession.ofNewClient(new SessionListener() {
            @Override
            public void judged(String database, Judgement judgement) {
                count(judgement);
            }
        });
        List<TokenResult> results = carryAll(session, texts, null);
        boolean told = !results.isEmpty()
                && results.stream().allMatch(result -> result == TokenResult.VALID || result == TokenResult.EXPIRED);
        return told ? session : FreshnessSession.ofUnknownClient(System.nanoTime());
    }

    private void carry(FreshnessSession session, FreshnessToken token, long now) {
        session.carryCohort(token.cohort());
        // What is of no database here is kept for those who know it.
        token.floors().forEach((database, floors) -> session.carry(database, floors, now));
        if (token.othersUnknown()) {
            for (FreshnessDatabase database : this.databases) {
                if (!token.floors().containsKey(database.name())) {
                    session.carry(database.name(), Floors.of(Floor.unknown(now)), now);
                }
            }
        }
    }

    /**
     * The token that a response must carry: where something was committed, where what the client brought was replaced, and
     * where reads are carried, too.
     *
     * @param session the session of its request
     * @param principal whom to bind it to, null for nobody in particular
     * @return the token, null if the client need not be told anything
     */
    public @Nullable String due(FreshnessSession session, @Nullable String principal) {
        boolean committed = session.writes() > 0;
        boolean due = committed;
        for (FreshnessDatabase database : this.databases) {
            boolean doubted = session.isDoubted(database.name());
            if (committed || doubted) {
                resolve(session, database, doubted);
            }
            due |= session.isReplaced(database.name());
            due |= this.carryReads && readsOf(session, database).node() != ReadFloor.NO_NODE;
        }
        return due ? token(session, principal) : null;
    }

    /**
     * A token of what a session's reads owe now.
     *
     * @param session the session
     * @param principal whom to bind it to, null for nobody in particular
     * @return the token
     */
    public String current(FreshnessSession session, @Nullable String principal) {
        for (FreshnessDatabase database : this.databases) {
            resolve(session, database, false);
        }
        return token(session, principal);
    }

    /**
     * Whether the reads of a session owe to anything.
     *
     * @param session the session
     * @return false if it has written nothing and brought nothing along
     */
    public boolean hasAnythingToTell(FreshnessSession session) {
        for (String database : session.databases()) {
            if (!session.floors(database).isNone()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds what others have written on behalf of a session, which from then on has written it.
     *
     * @param session the session
     * @param texts their tokens
     */
    public void adopt(FreshnessSession session, List<String> texts) {
        if (carry(session, texts, null).contains(TokenResult.VALID)) {
            session.adopted();
        }
    }

    private void resolve(FreshnessSession session, FreshnessDatabase database, boolean doubted) {
        if (!database.hasReplicas()) {
            return;
        }
        PrimaryObservation newest = database.state().livePrimary(System.nanoTime());
        Long after = session.awaitsSampleAfter(database.name(), newest, doubted);
        if (after != null) {
            session.resolve(database.name(), database.awaitWriter(after, this.patienceNanos));
        }
    }

    private String token(FreshnessSession session, @Nullable String principal) {
        Map<String, Floors> floors = new LinkedHashMap<>();
        for (String database : session.databases()) {
            floors.put(database, session.floors(database));
        }
        for (FreshnessDatabase database : this.databases) {
            if (database.hasReplicas()) {
                floors.put(database.name(), session.floors(database.name()));
            }
        }
        if (this.carryReads) {
            for (FreshnessDatabase database : this.databases) {
                addReads(session, database, floors);
            }
        }
        floors.values().removeIf(Floors::isNone);
        return this.codec.encode(floors, session.cohort(), principal);
    }

    private void addReads(FreshnessSession session, FreshnessDatabase database, Map<String, Floors> floors) {
        ReadFloor reads = readsOf(session, database);
        if (reads.pending()) {
            database.awaitWriter(reads.since(), this.patienceNanos);
            reads = readsOf(session, database);
        }
        long now = System.nanoTime();
        Floors owed = Floors.of(reads.pending() ? Floor.unknown(now) : reads.floor());
        floors.merge(database.name(), owed, (writes, read) -> writes.and(read, now));
    }

    private static ReadFloor readsOf(FreshnessSession session, FreshnessDatabase database) {
        return session.reads(database.state(), System.nanoTime());
    }

    /**
     * Counts what became of a token.
     *
     * @param result what
     */
    public void count(TokenResult result) {
        try {
            this.listener.token(result);
        } catch (RuntimeException ex) {
            logger.debug("A listener failed on what became of a token", ex);
        }
    }

    /**
     * Counts what became of a position in a token.
     *
     * @param judgement what is wrong with it
     */
    public void count(Judgement judgement) {
        count(
                switch (judgement) {
                    case OTHER_CLUSTER -> TokenResult.OTHER_CLUSTER;
                    case OTHER_HISTORY -> TokenResult.OTHER_HISTORY;
                    case BEYOND_WRITER -> TokenResult.BEYOND_WRITER;
                });
    }
}
