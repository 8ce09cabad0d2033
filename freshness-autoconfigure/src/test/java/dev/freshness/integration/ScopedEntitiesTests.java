/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.ContractConflictException;
import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessScope;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import jakarta.persistence.EntityManager;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Entities of several business objects in one web request with one persistence context, while the replicas stand still. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = PersistenceBed.STATISTICS)
@Import({Requests.class, ScopedEntitiesTests.Application.class})
class ScopedEntitiesTests extends PersistenceBed {

    @TestConfiguration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Authors authors(EntityManager entityManager) {
            return new Authors(entityManager);
        }
    }

    /** A user's service. */
    static class Authors {

        private final EntityManager entityManager;

        Authors(EntityManager entityManager) {
            this.entityManager = entityManager;
        }

        @FreshnessScope("'author:' + #id")
        @Transactional
        public void rename(int id, String name) {
            find(id).rename(name);
        }

        @FreshnessScope("'author:' + #id")
        @Transactional
        public void renameAround(int id, String name, Runnable inside) {
            find(id).rename(name);
            inside.run();
        }

        @FreshnessScope("'author:' + #id")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void renameInNewTransaction(int id, String name) {
            find(id).rename(name);
        }

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "0s", scope = "'author:' + #id")
        public <T> T around(int id, Supplier<T> inside) {
            return inside.get();
        }

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "0s", scope = "'author:' + #id")
        @Transactional(readOnly = true)
        public <T> T transactionAround(int id, Supplier<T> inside) {
            return inside.get();
        }

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "0s", scope = "'author:' + #id")
        @Transactional(readOnly = true)
        public String load(int id) {
            return find(id).name();
        }

        @Freshness(FreshnessMode.EVENTUAL)
        @Transactional(readOnly = true)
        public String glance(int id) {
            return find(id).name();
        }

        private Author find(int id) {
            return this.entityManager.find(Author.class, id);
        }
    }

    @Autowired
    Authors authors;

    @Autowired
    AuthorRepository repository;

    @Autowired
    Requests requests;

    @LocalServerPort
    int port;

    @Override
    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        super.bed(postgres);
        this.primary.execute("insert into author values (3, 'old', 'old') on conflict do nothing");
        this.primary.execute("update author set name = 'old'");
        postgres.awaitCaughtUp();
        awaitEligibleReplicas(2);
        pauseReplicas();
    }

    private void inRequest(Runnable work) {
        this.requests.get(this.port, () -> {
            work.run();
            return null;
        });
    }

    private void assertReadOnWriter(int id) {
        assertThat(this.authors.<Boolean>transactionAround(id, this::isInRecovery))
                .as("author %d is read on a standby", id)
                .isFalse();
    }

    private void assertReadOnReplica(int id) {
        assertThat(this.authors.<Boolean>transactionAround(id, this::isInRecovery))
                .as("author %d is read on a standby", id)
                .isTrue();
    }

    private void assertSees(int id) {
        assertReadOnWriter(id);
        assertThat(this.authors.load(id)).isEqualTo("new");
        assertThat(this.authors.glance(id)).as("the control").isEqualTo("old");
    }

    /** One of the two is read in each request: whatever is read after that is as new. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void entitiesChangedByScopedCallsAndFlushedByTheOuterCommitAreOfBoth(int read) {
        inRequest(() -> {
            this.authors.renameAround(1, "new", () -> {
                this.authors.rename(2, "new");
                assertThat(inDatabase(2, "name")).as("not flushed yet").isEqualTo("old");
            });
            assertReadOnReplica(3);
            assertSees(read);
        });
    }

    @Test
    void inAnUnscopedTransactionTheyAreOfAnything() {
        inRequest(() -> {
            this.calls.unmarkedTransaction(() -> {
                find(2).rename("new");
                this.authors.rename(1, "new");
                return null;
            });
            assertReadOnWriter(3);
            assertSees(1);
            assertSees(2);
        });
    }

    @Test
    void inATransactionOfItsOwnAnEntityIsOfItsOwnScope() {
        inRequest(() -> {
            this.calls.unmarkedTransaction(() -> {
                this.authors.renameInNewTransaction(1, "new");
                return null;
            });
            assertReadOnReplica(2);
            assertSees(1);
        });
    }

    @Test
    void aRepositorysMethodsNameWhatTheyReadAndWrite() {
        inRequest(() -> {
            Author changed = this.authors.transactionAround(1, () -> find(1));
            changed.rename("new");
            this.repository.save(changed);
            assertReadOnReplica(2);
            assertThat(this.repository.findById(2)).get().returns("old", Author::name);
            assertThat(this.repository.findById(1)).get().returns("new", Author::name);
            assertSees(1);
        });
        assertThat(inDatabase(1, "name")).isEqualTo("new");
    }

    @Test
    void whatACallForOneObjectLoadedDoesNotAnswerForAnother() {
        inRequest(() -> {
            this.authors.rename(2, "new");
            this.authors.around(1, () -> {
                assertThat(find(2).name()).as("the control").isEqualTo("old");
                assertThat(this.authors.load(2)).isEqualTo("new");
                return null;
            });
        });
    }

    @Test
    void norWithinTheTransactionThatLoadedIt() {
        inRequest(() -> {
            this.authors.rename(2, "new");
            assertThatThrownBy(() -> this.authors.transactionAround(1, () -> {
                        assertThat(find(2).name()).as("the control").isEqualTo("old");
                        return this.authors.load(2);
                    }))
                    .isInstanceOf(ContractConflictException.class)
                    .hasMessageContaining("Authors.load")
                    .hasMessageContaining("behind-floor");
        });
    }
}
