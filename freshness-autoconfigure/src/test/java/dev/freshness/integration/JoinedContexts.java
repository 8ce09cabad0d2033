/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.ContractConflictException;
import dev.freshness.FreshnessMode;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;

/** Contracts that join a transaction which has loaded entities: those must not answer in place of the database. */
abstract class JoinedContexts extends PersistenceBed {

    abstract <T> T inRequest(Supplier<T> work);

    @Test
    void authoritativeIsNotAnsweredByWhatAnEventualTransactionLoaded() {
        changeBehindPausedReplicas();
        assertThatThrownBy(() -> inRequest(() -> this.calls.eventualTransaction(() -> {
                    assertThat(find(1).name()).isEqualTo("old");
                    assertThat(isInRecovery()).isTrue();
                    return this.calls.authoritativeTransaction(() -> find(1).name());
                })))
                .isInstanceOf(ContractConflictException.class)
                .hasMessageContaining("Calls.authoritativeTransaction")
                .hasMessageContaining("Calls.eventualTransaction");
    }

    @Test
    void readYourWritesIsNotAnsweredByWhatWasLoadedBeforeTheWrite() {
        pauseReplicas();
        assertThatThrownBy(() -> inRequest(() -> this.calls.readYourWritesTransaction(() -> {
                    assertThat(find(1).name()).isEqualTo("old");
                    assertThat(isInRecovery()).isTrue();
                    renameInNewTransaction(1, "new");
                    return this.calls.readYourWritesTransaction(() -> find(1).name());
                })))
                .isInstanceOf(ContractConflictException.class)
                .hasMessageContaining("behind-floor");
    }

    @Test
    void aStatementInBetweenDoesNotMakeLoadedEntitiesNewer() {
        inRequest(() -> this.calls.readYourWritesTransaction(() -> {
            assertThat(find(1).name()).isEqualTo("old");
            renameInNewTransaction(1, "new");
            this.postgres.awaitCaughtUp();
            awaitEligibleReplicas(2);
            assertThat(isInRecovery()).isTrue();
            assertThat(this.calls.<String>readYourWritesTransaction(() -> find(1).name()))
                    .isEqualTo("new");
            return null;
        }));
    }

    @Test
    void aStricterCallThatTheReplicaMeetsLoadsAgain() {
        inRequest(() -> this.calls.eventualTransaction(() -> {
            Author loaded = find(1);
            renameInNewTransaction(1, "new");
            this.postgres.awaitCaughtUp();
            awaitEligibleReplicas(2);
            Author again = this.calls.readYourWritesTransaction(() -> find(1));
            assertThat(again.name()).isEqualTo("new");
            assertThat(loaded.name()).isEqualTo("old");
            assertThat(isInRecovery()).isTrue();
            return null;
        }));
    }

    @Test
    void aCallOfTheSameContractKeepsWhatItsCallerLoaded() {
        inRequest(() -> this.calls.readYourWritesTransaction(() -> {
            Author loaded = find(1);
            assertThat(isInRecovery()).isTrue();
            assertThat(this.calls.<Author>readYourWritesTransaction(() -> find(1)))
                    .isSameAs(loaded);
            assertThat(this.calls.<Author>eventualTransaction(() -> find(1))).isSameAs(loaded);
            assertThat(this.entityManager.contains(loaded)).isTrue();
            return null;
        }));
    }

    @Test
    void aStricterCallOnTheWriterKeepsWhatItsCallerLoaded() {
        this.postgres.replicas().forEach(replica -> replica.pauseReplay());
        inRequest(() -> {
            this.calls.unmarkedTransaction(() -> {
                Author loaded = find(1);
                loaded.rename("changed");
                assertThat(this.calls.<Author>authoritativeTransaction(() -> find(1)))
                        .isSameAs(loaded);
                return null;
            });
            this.calls.unmarkedReadOnlyTransaction(() -> {
                Author loaded = find(1);
                assertThat(this.calls.<Author>eventual(() -> this.calls.authoritativeTransaction(() -> find(1))))
                        .isSameAs(loaded);
                return null;
            });
            return null;
        });
        assertThat(inDatabase(1, "name")).isEqualTo("changed");
    }

    @Test
    void aTransactionOfItsOwnLeavesTheCallersEntitiesAlone() {
        inRequest(() -> this.calls.eventualTransaction(() -> {
            Author loaded = find(1);
            renameInNewTransaction(1, "new");
            String current = this.freshness.read(
                    FreshnessMode.AUTHORITATIVE_NOW,
                    () -> in(TransactionDefinition.PROPAGATION_NOT_SUPPORTED, () -> find(1).name()));
            assertThat(current).isEqualTo("new");
            assertThat(loaded.name()).isEqualTo("old");
            return null;
        }));
    }
}
