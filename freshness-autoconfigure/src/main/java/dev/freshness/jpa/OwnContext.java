/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.session.FreshnessSession;
import jakarta.persistence.EntityManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.orm.jpa.EntityManagerHolder;

/**
 * The persistence context of one call under a contract. May hold rows of a replica.
 *
 * <p>Confined to the thread of its call until that has ended, and to the request's after that. Owns its entity manager.
 */
final class OwnContext extends EntityManagerHolder {

    private static final Logger logger = LoggerFactory.getLogger(OwnContext.class);

    private final EntityManager opened;

    private final EntityManager root;

    private final @Nullable OwnContext around;

    private final FreshnessContract contract;

    private FreshnessSession session;

    private int writes;

    private boolean used;

    private boolean unusedBeforeTransaction;

    OwnContext(
            EntityManager entityManager,
            EntityManagerHolder around,
            FreshnessContract contract,
            FreshnessSession session) {
        super(entityManager);
        this.opened = entityManager;
        this.around = around instanceof OwnContext own ? own : null;
        this.root = this.around == null ? around.getEntityManager() : this.around.root;
        this.contract = contract;
        this.session = session;
        this.writes = session.writes();
    }

    /** Whoever works with the context gets it here. */
    @Override
    public EntityManager getEntityManager() {
        this.used = true;
        return this.opened;
    }

    /** The entity manager, for our own purposes. */
    EntityManager entityManager() {
        return this.opened;
    }

    /** The entity manager of the request, whose end is the end of this one, too. */
    EntityManager root() {
        return this.root;
    }

    FreshnessContract contract() {
        return this.contract;
    }

    /** Whether anybody has asked for the context. */
    boolean isUsed() {
        return this.used;
    }

    /** Whether a read may be answered with what was loaded here so far. */
    boolean suffices(FreshnessContract wanted, FreshnessSession inSession) {
        return !isStricter(wanted, this.contract)
                && (wanted.mode() != FreshnessMode.READ_YOUR_WRITES || hasSeenWritesOf(inSession));
    }

    boolean hasSeenWritesOf(FreshnessSession other) {
        return this.session == other && this.writes == other.writes();
    }

    /** Nothing is left of what was loaded before the newest write of a session. */
    void cleared(FreshnessSession inSession) {
        this.session = inSession;
        this.writes = inSession.writes();
    }

    void transactionBegins() {
        this.unusedBeforeTransaction = !this.used;
    }

    /** Whether something may have been loaded before the transaction that is open now, from another node than its. */
    boolean isOlderThanTransaction() {
        return !this.unusedBeforeTransaction;
    }

    void letConnectionsAroundGo(Provider provider) {
        provider.letIdleConnectionGo(this.root);
        for (OwnContext outer = this.around; outer != null; outer = outer.around) {
            provider.letIdleConnectionGo(outer.opened);
        }
    }

    /** The call has ended. */
    void end(Provider provider) {
        if (!this.used || !provider.keepOpen(this)) {
            closeQuietly();
        }
    }

    void closeQuietly() {
        try {
            this.opened.close();
        } catch (RuntimeException ex) {
            logger.debug("A persistence context was not closed in good order", ex);
        }
    }

    /** Whether a contract asks for newer rows than another that it was joined to. */
    static boolean isStricter(FreshnessContract joined, FreshnessContract than) {
        if (joined.mode() != than.mode()) {
            return true;
        }
        return joined.mode() != FreshnessMode.AUTHORITATIVE_NOW
                && (joined.maxStaleness().compareTo(than.maxStaleness()) < 0
                        || joined.monotonic() && !than.monotonic()
                        || owesToMore(joined, than)
                        || than.onUnmet() == OnUnmet.STALE && joined.onUnmet() != OnUnmet.STALE);
    }

    private static boolean owesToMore(FreshnessContract joined, FreshnessContract than) {
        return joined.mode() == FreshnessMode.READ_YOUR_WRITES
                && !than.scopes().isEmpty()
                && (joined.scopes().isEmpty() || !than.scopes().containsAll(joined.scopes()));
    }
}
