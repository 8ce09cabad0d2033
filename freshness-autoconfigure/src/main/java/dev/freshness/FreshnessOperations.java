/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import dev.freshness.wal.WalPosition;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The programmatic form of {@link Freshness}: for code that Spring proxies do not reach, and for work outside of web
 * requests. Injected as a bean.
 *
 * <p>Scopes end when the given work returns or throws. They belong to the calling thread. Of what is in force, work
 * that is handed to another thread gets the session only, by {@link #wrap(Runnable)} or an executor of Spring Boot's. Thread-safe.
 */
public interface FreshnessOperations {

    /**
     * A contract with the application's defaults for everything but the mode.
     *
     * @param mode how fresh the answer must be
     * @return a contract that can be refined and used any number of times
     */
    FreshnessContract contract(FreshnessMode mode);

    /**
     * Does work under a contract, as if it were the body of a method with {@link Freshness}.
     *
     * @param contract what its reads ask for; joined to a contract already in force
     * @param work what to do
     * @param <T> the type of its result
     * @return what the work returned
     */
    <T extends @Nullable Object> T read(FreshnessContract contract, Supplier<T> work);

    /**
     * Does work under a contract with the application's defaults.
     *
     * @param mode how fresh the answers of its reads must be
     * @param work what to do
     * @param <T> the type of its result
     * @return what the work returned
     */
    default <T extends @Nullable Object> T read(FreshnessMode mode, Supplier<T> work) {
        return read(contract(mode), work);
    }

    /**
     * Does work that writes one business object, as if it were the body of a method with {@link FreshnessScope}. States no
     * contract. Reads of the object ask for it with {@link FreshnessContract#withScopes}:
     *
     * <pre>{@code
     * freshness.writingTo("profile:7", () -> profiles.save(profile));
     * freshness.read(freshness.contract(READ_YOUR_WRITES).withScopes("profile:7"), () -> profiles.load(7));
     * }</pre>
     *
     * @param scope the object's name, the same text wherever it is read; not empty
     * @param work what to do; writes nothing else
     * @param <T> the type of its result
     * @return what the work returned
     * @throws IllegalArgumentException if the name is empty
     */
    <T extends @Nullable Object> T writingTo(String scope, Supplier<T> work);

    /**
     * Does work in a session of its own for a client that has written nothing yet. The caller vouches for that: reads in
     * it owe nothing to earlier writes. Contracts already in force stay in force.
     *
     * @param work what to do
     * @param <T> the type of its result
     * @return what the work returned
     */
    <T extends @Nullable Object> T newSession(Supplier<T> work);

    /**
     * Makes the reads of the session in force include everything up to a position of the database {@code default}: for
     * writes that did not go through its data source, such as those of an XA pool, of R2DBC or of a change stream.
     *
     * @param position the end of what was written, read after its COMMIT
     * @see #require(String, WalPosition)
     */
    default void require(WalPosition position) {
        require("default", position);
    }

    /**
     * Makes the reads of the session in force include everything up to a position. Only raises the session's floor: a
     * position of another history than what is already required leaves the floor unknown, and so does an unknown floor.
     * Outside of any session there is nothing to raise; reads there owe to everything and go to the writer.
     *
     * @param database the database that was written
     * @param position the end of what was written, read after its COMMIT: {@code pg_current_wal_flush_lsn()}, or
     *     {@code pg_current_wal_insert_lsn()} if {@code synchronous_commit} was {@code off}, taken through
     *     {@link dev.freshness.wal.WalLayout#normalise}: one that names a page's header is reached only with later writes
     * @throws IllegalArgumentException if there is no database of this name
     */
    void require(String database, WalPosition position);

    /**
     * Makes the reads of the session in force include everything that was committed by now: for writes that did not go
     * through the database's data source and whose position is not known. They go to the writer until the position is
     * known from its next sample.
     *
     * @param database the database that was written, for example {@code default}
     * @throws IllegalArgumentException if there is no database of this name
     */
    void markWritten(String database);

    /**
     * Hands the session in force to work that another thread will do, on an executor that is none of Spring Boot's: those carry
     * it by themselves. The threads share the session: what either writes, the other's reads see. Contracts are not carried.
     *
     * @param work what to do
     * @return the same work, in the session that is in force now; in none if there is none, so that its reads under
     *     {@link FreshnessMode#READ_YOUR_WRITES} go to the writer
     */
    Runnable wrap(Runnable work);

    /**
     * The same for work with a result that may throw.
     *
     * @param work what to do
     * @param <T> the type of its result
     * @return the same work, in the session that is in force now
     */
    <T extends @Nullable Object> Callable<T> wrap(Callable<T> work);

    /**
     * The same for suppliers, as {@code CompletableFuture.supplyAsync} takes them.
     *
     * @param work what to do
     * @param <T> the type of its result
     * @return the same work, in the session that is in force now
     */
    <T extends @Nullable Object> Supplier<T> wrapSupplier(Supplier<T> work);

    /**
     * What became of the newest read under a contract on this thread, in the scope in force or in one that was inside of it:
     * after a call of a service, of that call's last read.
     *
     * @return the verdict, null outside of any scope or if nothing was read under a contract
     */
    @Nullable
    FreshnessVerdict verdict();

    /**
     * A token of what the reads of the session in force owe now: for messages, whose consumers then see what their sender
     * wrote. It is bound to nobody, counts for {@code freshness.token.ttl}, and is a secret of no kind: it says positions, and
     * cannot be changed.
     *
     * <p>A write whose position is not known yet is waited for, at most {@code freshness.wait-budget}; if it is not known by
     * then the token says so, and whoever reads with it reads on the writer until it is.
     *
     * @return the token, at most 512 letters, digits, {@code -} and {@code _}; empty where no database is routed
     * @throws IllegalStateException inside of a transaction that may write and has not been committed, whose position nobody
     *     can know; and outside of any session, where nothing is noted: use {@link #newSession} or {@link #withToken}
     */
    String currentToken();

    /**
     * Does work in a session of its own that owes to what a token says: for consumers of messages, and whatever else is none of
     * a web request. Contracts already in force stay in force.
     *
     * @param token what {@link #currentToken()} returned elsewhere; null, or anything that does not verify, for a client of
     *     unknown history, whose reads under {@link FreshnessMode#READ_YOUR_WRITES} go to the writer. An expired one asks for
     *     nothing: by then every replica that such reads may use has what it stood for
     * @param work what to do
     * @param <T> the type of its result
     * @return what the work returned
     */
    default <T extends @Nullable Object> T withToken(@Nullable String token, Supplier<T> work) {
        return withTokens(token == null ? List.of() : List.of(token), work);
    }

    /**
     * Does work in a session of its own that owes to what several tokens say: for consumers of batches.
     *
     * @param tokens any number of tokens; if there are none, or one of them does not verify, the history is unknown
     * @param work what to do
     * @param <T> the type of its result
     * @return what the work returned
     * @see #withToken
     */
    <T extends @Nullable Object> T withTokens(Collection<String> tokens, Supplier<T> work);
}
