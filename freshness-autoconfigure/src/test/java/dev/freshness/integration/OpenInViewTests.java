/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.ContractConflictException;
import dev.freshness.FreshnessMode;
import dev.freshness.test.ReplicatedPostgresTest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Supplier;
import org.hibernate.Hibernate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.TransactionDefinition;

/** One persistence context spans a request by default; calls under contracts get contexts of their own. */
@ReplicatedPostgresTest
@Import(Requests.class)
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = PersistenceBed.STATISTICS)
class OpenInViewTests extends PersistenceBed {

    private static final int WRITER = 0;

    @Autowired
    Requests requests;

    @LocalServerPort
    int port;

    private <T> T inRequest(Supplier<T> work) {
        return this.requests.get(this.port, work);
    }

    private String eventualName() {
        return this.calls.eventual(() -> {
            String name = find(1).name();
            assertThat(isInRecovery()).isTrue();
            return name;
        });
    }

    private void assertOnlyTheNameWasChanged() {
        assertThat(inDatabase(1, "name")).isEqualTo("changed");
        assertThat(inDatabase(1, "note")).isEqualTo("new");
    }

    @Test
    void anEntityOfAReplicaNeitherAnswersAStricterReadNorOverwritesWhatItDidNotHave() {
        changeBehindPausedReplicas();
        inRequest(() -> {
            assertThat(eventualName()).isEqualTo("old");
            assertThat(this.calls.<String>authoritative(() -> find(1).name())).isEqualTo("new");
            assertThat(find(1).name()).isEqualTo("new");
            rename(1, "changed");
            return null;
        });
        assertOnlyTheNameWasChanged();
    }

    @Test
    void soInReadOnlyTransactions() {
        changeBehindPausedReplicas();
        inRequest(() -> {
            String name = this.calls.eventualTransaction(() -> {
                assertThat(isInRecovery()).isTrue();
                return find(1).name();
            });
            assertThat(name).isEqualTo("old");
            assertThat(this.calls.<String>authoritativeTransaction(() -> find(1).name()))
                    .isEqualTo("new");
            rename(1, "changed");
            return null;
        });
        assertOnlyTheNameWasChanged();
    }

    @Test
    void aWriteWithinAnEventualCallLoadsWhatItChanges() {
        changeBehindPausedReplicas();
        inRequest(() -> this.calls.eventual(() -> {
            assertThat(find(1).name()).isEqualTo("old");
            assertThat(isInRecovery()).isTrue();
            rename(1, "changed");
            return null;
        }));
        assertOnlyTheNameWasChanged();
    }

    @Test
    void aChangedEntityOfAReplicaIsNeverWritten() {
        changeBehindPausedReplicas();
        inRequest(() -> {
            this.calls.eventual(() -> {
                find(1).rename("changed on old");
                assertThatThrownBy(() -> rename(2, "changed"))
                        .isInstanceOf(ContractConflictException.class)
                        .hasMessageContaining("Calls.unmarkedTransaction")
                        .hasMessageContaining("Calls.eventual")
                        .hasMessageContaining("something in it was changed");
                assertThat(find(1).name()).isEqualTo("changed on old");
                return null;
            });
            rename(2, "changed");
            return null;
        });
        assertThat(inDatabase(1, "name")).isEqualTo("new");
        assertThat(inDatabase(2, "name")).isEqualTo("changed");
    }

    @Test
    void aReadWriteMethodUnderAContractKeepsTheRequestsContext() {
        inRequest(() -> {
            Author loaded = find(1);
            Where where = this.items.eventualInReadWriteTransaction(1);
            assertOnWriter(where);
            assertThat(find(1)).isSameAs(loaded);
            return null;
        });
        assertThat(this.statistics.getSessionOpenCount()).isEqualTo(1);
    }

    @Test
    void aStricterCallWithinACallGetsAContextOfItsOwnAndTheSameContractDoesNot() {
        changeBehindPausedReplicas();
        inRequest(() -> this.calls.eventual(() -> {
            Author loaded = find(1);
            assertThat(isInRecovery()).isTrue();
            assertThat(this.calls.<Author>eventual(() -> find(1))).isSameAs(loaded);
            assertThat(this.calls.<String>authoritative(() -> find(1).name())).isEqualTo("new");
            assertThat(find(1)).isSameAs(loaded);
            assertThat(loaded.name()).isEqualTo("old");
            return null;
        }));
    }

    @Test
    void theSameContractGetsAContextOfItsOwnOnceItsClientHasWritten() {
        pauseReplicas();
        inRequest(() -> this.freshness.read(FreshnessMode.READ_YOUR_WRITES, () -> {
            Author loaded = find(1);
            assertThat(isInRecovery()).isTrue();
            writeOtherwise();
            String name = this.freshness.read(FreshnessMode.READ_YOUR_WRITES, () -> find(1).name());
            assertThat(name).isEqualTo("new");
            name = this.calls.eventual(() -> find(1).name());
            assertThat(name).isEqualTo("new");
            assertThat(loaded.name()).isEqualTo("old");
            return null;
        }));
    }

    /** Not through the context of this thread, which a transaction that writes would clear. */
    private void writeOtherwise() {
        this.primary.execute("update author set name = 'new' where id = 1");
        this.freshness.markWritten("default");
    }

    @Test
    void anExceptionPutsTheRequestsContextBack() {
        inRequest(() -> {
            Author loaded = find(1);
            assertThatThrownBy(() -> this.calls.eventual(() -> {
                        assertThat(find(1)).isNotSameAs(loaded);
                        throw new IllegalStateException("on purpose");
                    }))
                    .hasMessage("on purpose");
            assertThatThrownBy(() -> this.calls.eventualTransaction(() -> {
                        assertThat(find(1)).isNotSameAs(loaded);
                        throw new IllegalStateException("on purpose");
                    }))
                    .hasMessage("on purpose");
            assertThat(find(1)).isSameAs(loaded);
            return null;
        });
    }

    @Test
    void requestsAtTheSameTimeShareNothing() {
        CyclicBarrier bothAreIn = new CyclicBarrier(2);
        Supplier<Author> call = () -> inRequest(() -> this.calls.eventual(() -> {
            Author loaded = find(1);
            awaitAll(bothAreIn);
            assertThat(find(1)).isSameAs(loaded);
            return loaded;
        }));
        CompletableFuture<Author> other = CompletableFuture.supplyAsync(call);
        assertThat(call.get()).isNotSameAs(other.join());
    }

    private static void awaitAll(CyclicBarrier barrier) {
        try {
            barrier.await(DEADLINE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS);
        } catch (Exception ex) {
            throw new AssertionError(ex);
        }
    }

    @Test
    void lazyLoadsAfterTheCallHoldNoConnection() {
        int books = this.requests.get(
                this.port,
                () -> {
                    List<Author> read = List.of(
                            this.calls.eventual(() -> find(1)),
                            this.calls.authoritative(() -> this.entityManager.getReference(Author.class, 2)));
                    assertThat(activeConnections()).isZero();
                    rename(2, "changed");
                    assertThat(activeConnections(WRITER)).isEqualTo(1);
                    return read;
                },
                read -> {
                    assertThat(Hibernate.isInitialized(read.get(0).books())).isFalse();
                    int loaded = read.get(0).books().size();
                    assertThat(activeConnections()).isZero();
                    assertThat(read.get(1).getNote()).isEqualTo("old");
                    assertThat(activeConnections()).isZero();
                    return loaded;
                });
        assertThat(books).isEqualTo(2);
    }

    @Test
    void lazyLoadsWorkAfterAnAsynchronousDispatch() {
        int books = this.requests.getLater(
                this.port,
                () -> this.calls.eventual(() -> find(1)),
                author -> author.books().size());
        assertThat(books).isEqualTo(2);
    }

    @Test
    void synchronizationWithoutATransactionIsSetAsideWhileACallRuns() {
        changeBehindPausedReplicas();
        inRequest(() -> {
            in(TransactionDefinition.PROPAGATION_SUPPORTS, () -> {
                Author loaded = find(1);
                assertThat(loaded.name()).isEqualTo("new");
                assertThat(eventualName()).isEqualTo("old");
                assertThat(find(1)).isSameAs(loaded);
                return null;
            });
            rename(1, "changed");
            return null;
        });
        assertOnlyTheNameWasChanged();
    }

    @Test
    void soIfNothingWasLoadedInItBefore() {
        changeBehindPausedReplicas();
        inRequest(() -> {
            in(TransactionDefinition.PROPAGATION_SUPPORTS, () -> {
                assertThat(this.calls.<String>eventualTransaction(() -> find(1).name()))
                        .isEqualTo("old");
                assertThat(find(1).name()).isEqualTo("new");
                return null;
            });
            rename(1, "changed");
            return null;
        });
        assertOnlyTheNameWasChanged();
    }

    @Test
    void aContextThatNobodyUsedIsClosedWithItsCall() {
        inRequest(() -> {
            assertOnReplica(this.items.eventualWithoutTransaction(1));
            assertThat(this.statistics.getSessionOpenCount() - this.statistics.getSessionCloseCount())
                    .isEqualTo(1);
            return null;
        });
    }
}
