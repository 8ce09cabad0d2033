/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.FreshnessVerdict;
import dev.freshness.handover.SessionHandOver;
import dev.freshness.handover.SessionTokens;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.wal.WalPosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionSystemException;

/** {@link FreshnessOperations} by scopes on the calling thread. Thread-safe. */
public final class ScopedFreshnessOperations implements FreshnessOperations {

    private final ContractDefaults defaults;

    private final Iterable<FreshnessDatabase> databases;

    private final Supplier<ContractBoundary> boundary;

    private final Supplier<@Nullable SessionTokens> tokens;

    /**
     * Creates the operations.
     *
     * @param defaults what {@link #contract} says for everything but the mode
     * @param databases the databases that are routed; none if nothing is
     * @param boundary what to prepare for work under a contract; asked for with the first call
     * @param tokens what makes and reads tokens, null if nothing is routed; asked for with the first call
     */
    public ScopedFreshnessOperations(
            ContractDefaults defaults,
            Iterable<FreshnessDatabase> databases,
            Supplier<ContractBoundary> boundary,
            Supplier<@Nullable SessionTokens> tokens) {
        this.defaults = defaults;
        this.databases = databases;
        this.boundary = boundary;
        this.tokens = tokens;
    }

    @Override
    public FreshnessContract contract(FreshnessMode mode) {
        return this.defaults.contract(mode, "FreshnessOperations");
    }

    @Override
    public <T extends @Nullable Object> T read(FreshnessContract contract, Supplier<T> work) {
        FreshnessContract around = ContractBoundaries.inForce();
        try (ThreadScope scope = ThreadScope.open(contract);
                ContractBoundary.Exit exit = ContractBoundaries.enter(this.boundary.get(), around, scope, null, null)) {
            return work.get();
        } catch (TransactionSystemException ex) {
            throw CommitFailures.unwrapped(ex);
        }
    }

    @Override
    public <T extends @Nullable Object> T writingTo(String scope, Supplier<T> work) {
        if (scope.isEmpty()) {
            throw new IllegalArgumentException("'scope' must not be empty");
        }
        try (ThreadScope written = ThreadScope.openForWritesOf(scope)) {
            return work.get();
        }
    }

    @Override
    public <T extends @Nullable Object> T newSession(Supplier<T> work) {
        try (ThreadScope scope = ThreadScope.open(FreshnessSession.ofNewClient())) {
            return work.get();
        }
    }

    @Override
    public void require(String database, WalPosition position) {
        FreshnessDatabase known = find(database);
        ThreadScope scope = ThreadScope.current();
        if (known != null && scope != null) {
            scope.session().require(database, position);
        }
    }

    @Override
    public void markWritten(String database) {
        FreshnessDatabase known = find(database);
        ThreadScope scope = ThreadScope.current();
        if (known != null && scope != null) {
            long now = System.nanoTime();
            PrimaryObservation writer = known.state().livePrimary(now);
            scope.session().mark(database, scope.writes(), now, writer == null ? null : writer.identity(), true);
        }
    }

    @Override
    public Runnable wrap(Runnable work) {
        return SessionHandOver.wrap(work);
    }

    @Override
    public <T extends @Nullable Object> Callable<T> wrap(Callable<T> work) {
        return SessionHandOver.wrap(work);
    }

    @Override
    public <T extends @Nullable Object> Supplier<T> wrapSupplier(Supplier<T> work) {
        return SessionHandOver.wrapSupplier(work);
    }

    @Override
    public @Nullable FreshnessVerdict verdict() {
        ThreadScope scope = ThreadScope.current();
        return scope == null ? null : scope.verdict();
    }

    @Override
    public String currentToken() {
        SessionTokens known = this.tokens.get();
        if (known == null) {
            return "";
        }
        for (FreshnessDatabase database : this.databases) {
            if (database.isInWriteTransaction()) {
                throw new IllegalStateException("A transaction on database " + database.name()
                        + " that may write has not been committed, so there is no token for it yet:"
                        + " ask after the commit, for example in a @TransactionalEventListener");
            }
        }
        ThreadScope scope = ThreadScope.current();
        if (scope == null) {
            throw new IllegalStateException("There is no session on this thread, so it is not known what was written:"
                    + " do the work in FreshnessOperations.newSession or withToken");
        }
        return known.current(scope.session(), null);
    }

    @Override
    public <T extends @Nullable Object> T withTokens(Collection<String> texts, Supplier<T> work) {
        SessionTokens known = this.tokens.get();
        FreshnessSession session =
                known == null ? FreshnessSession.ofUnknownClient(System.nanoTime()) : known.open(texts);
        try (ThreadScope scope = ThreadScope.open(session)) {
            return work.get();
        }
    }

    /** The database of a name; null where nothing is routed at all. */
    private @Nullable FreshnessDatabase find(String name) {
        List<String> names = new ArrayList<>(1);
        for (FreshnessDatabase database : this.databases) {
            if (database.name().equals(name)) {
                return database;
            }
            names.add(database.name());
        }
        if (names.isEmpty()) {
            return null;
        }
        throw new IllegalArgumentException("There is no database '" + name + "'; there is " + String.join(", ", names));
    }
}
