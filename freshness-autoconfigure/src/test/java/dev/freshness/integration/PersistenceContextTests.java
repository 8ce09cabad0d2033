/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.ContractConflictException;
import dev.freshness.test.ReplicatedPostgresTest;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** What was loaded from a replica neither answers for a stricter read nor is written back, under open-in-view. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = OpenInView.STATISTICS)
@Import(OpenInView.Application.class)
class PersistenceContextTests extends OpenInView {

    /** Somebody else changes the shelf; the replicas stand still. */
    private void changeElsewhere() {
        this.primary.execute("update shelf set name = 'new', note = 'new' where id = 1");
    }

    private String stored() {
        return this.primary.query("select name || ' ' || note from shelf where id = 1");
    }

    @Test
    void aStricterReadAsksTheWriterAndAWriteLosesNothing() throws Exception {
        changeElsewhere();
        String names = get(() -> {
            Shelf stale = Objects.requireNonNull(this.shelves.eventual(1));
            Shelf current = Objects.requireNonNull(this.shelves.authoritative(1));
            this.shelves.rename(1, "renamed");
            return stale.name() + " " + current.name();
        });
        assertThat(names).isEqualTo("old new");
        assertThat(this.shelves.inRecovery()).containsExactly(true, false, false);
        assertThat(stored()).isEqualTo("renamed new");
    }

    @Test
    void theSameWithoutTransactions() throws Exception {
        changeElsewhere();
        String names = get(() -> {
            Shelf stale = Objects.requireNonNull(this.shelves.underEventual(() -> this.shelves.unmarked(1)));
            Shelf current = Objects.requireNonNull(this.shelves.authoritativeWithoutTransaction(1));
            this.shelves.renameUnderContract(1, "renamed");
            return stale.name() + " " + current.name();
        });
        assertThat(names).isEqualTo("old new");
        assertThat(stored()).isEqualTo("renamed new");
    }

    @Test
    void aStricterCallWithinACallHasAContextOfItsOwnToo() throws Exception {
        changeElsewhere();
        String names = get(() -> this.shelves.underEventual(() -> {
            Shelf stale = Objects.requireNonNull(this.shelves.unmarked(1));
            Shelf current = Objects.requireNonNull(this.shelves.authoritative(1));
            return stale.name() + " " + current.name() + " " + stale.books();
        }));
        assertThat(names).isEqualTo("old new [first]");
    }

    @Test
    void aReadWriteTransactionWithinACallLoadsAfresh() throws Exception {
        changeElsewhere();
        get(() -> this.shelves.underEventual(() -> {
            assertThat(Objects.requireNonNull(this.shelves.unmarked(1)).name()).isEqualTo("old");
            this.shelves.rename(1, "renamed");
            return "";
        }));
        assertThat(stored()).isEqualTo("renamed new");
    }

    @Test
    void changesThatClearingWouldLoseAreRefusedAndNothingIsLeftBegun() throws Exception {
        changeElsewhere();
        get(() -> {
            assertThatThrownBy(() -> this.shelves.underEventual(() -> {
                        Objects.requireNonNull(this.shelves.unmarked(1)).rename("on the side");
                        this.shelves.rename(1, "renamed");
                        return "";
                    }))
                    .isInstanceOf(ContractConflictException.class)
                    .hasMessageContaining("Shelves.rename")
                    .hasMessageContaining("changes");
            this.shelves.rename(1, "after");
            return "";
        });
        assertThat(stored()).isEqualTo("after new");
    }

    @Test
    void aJoinedCallWithTheSameContractKeepsWhatWasLoaded() throws Exception {
        String answer = get(() -> this.shelves.inEventualTransaction(() -> {
            Shelf first = Objects.requireNonNull(this.shelves.eventual(1));
            Shelf second = Objects.requireNonNull(this.shelves.eventual(1));
            return (first == second) + " " + first.books();
        }));
        assertThat(answer).isEqualTo("true [first]");
    }

    @Test
    void aJoinedCallAfterAnOwnWriteIsNotAnsweredByWhatTheReplicaTold() throws Exception {
        get(() -> {
            assertThatThrownBy(() -> this.shelves.inReadYourWritesTransaction(() -> {
                        assertThat(Objects.requireNonNull(this.shelves.unmarked(1))
                                        .name())
                                .isEqualTo("old");
                        this.shelves.renameInNewTransaction(1, "renamed");
                        return this.shelves.readYourWrites(1);
                    }))
                    .isInstanceOf(ContractConflictException.class)
                    .hasMessageContaining("behind-floor");
            return "";
        });
        assertThat(stored()).isEqualTo("renamed old");
    }

    @Test
    void aStricterCallThatJoinsATransactionOnAReplicaIsNotAnsweredByIt() throws Exception {
        changeElsewhere();
        get(() -> {
            assertThatThrownBy(() -> this.shelves.inEventualTransaction(() -> {
                        assertThat(Objects.requireNonNull(this.shelves.unmarked(1))
                                        .name())
                                .isEqualTo("old");
                        return this.shelves.authoritative(1);
                    }))
                    .isInstanceOf(ContractConflictException.class)
                    .hasMessageContaining("Shelves.authoritative");
            return "";
        });
    }

    @Test
    void anExceptionPutsTheRequestsOwnContextBack() throws Exception {
        String answer = get(() -> {
            Shelf before = Objects.requireNonNull(this.shelves.unmarked(1));
            assertThatThrownBy(() -> this.shelves.underEventual(() -> {
                        throw new IllegalStateException("on purpose");
                    }))
                    .hasMessage("on purpose");
            return String.valueOf(before == this.shelves.unmarked(1));
        });
        assertThat(answer).isEqualTo("true");
    }

    /** The pool would run dry otherwise: each context would keep a connection until the end of the request. */
    @Test
    void lazyLoadsAfterTheCallHoldNoConnection() throws Exception {
        String answer = get(() -> {
            Shelf first = Objects.requireNonNull(this.shelves.eventual(1));
            assertThat(active()).isZero();
            Shelf second = Objects.requireNonNull(this.shelves.authoritative(1));
            assertThat(active()).isZero();
            String books = first.books() + " " + second.books();
            assertThat(active()).isZero();
            return books;
        });
        assertThat(answer).isEqualTo("[first] [first]");
    }
}
