/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.session.Floors;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgres;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A client changes one of many objects while the replicas stand still: only those who read that one owe to it. */
abstract class ScopedWrites extends ReplicationBed {

    static final int PROFILES = 50;

    private static final Logger logger = LoggerFactory.getLogger(ScopedWrites.class);

    @TestConfiguration(proxyBeanMethods = false)
    static class Application {

        @Bean
        ScopedProfiles scopedProfiles(JdbcClient jdbc) {
            return new ScopedProfiles(jdbc);
        }
    }

    @Autowired
    ScopedProfiles profiles;

    @Autowired
    FreshnessOperations operations;

    @Override
    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        postgres.primary().execute("create table if not exists item (id int primary key, name text)");
        postgres.primary().execute("delete from item");
        postgres.primary().execute("insert into item select i, 'old' from generate_series(1, " + PROFILES + ") i");
        super.bed(postgres);
        pauseReplicas();
    }

    /** What the same client's next request answers: its floors are known, what it has read is not. */
    private static <T> T inNextRequest(Supplier<T> work) {
        Floors carried = ThreadScope.current().session().floors("default");
        return request(() -> {
            ThreadScope.current().session().carry("default", carried, System.nanoTime());
            return work.get();
        });
    }

    /** Those whose readers are sent to the writer. */
    private Set<Integer> onWriter() {
        Set<Integer> onWriter = new TreeSet<>();
        for (int id = 1; id <= PROFILES; id++) {
            int profile = id;
            Where read = inNextRequest(() -> this.profiles.load(profile));
            if (read.inRecovery()) {
                assertThat(read.value()).as("profile %d on a replica", id).isEqualTo("old");
            } else {
                assertOnWriter(read);
                onWriter.add(id);
            }
        }
        return onWriter;
    }

    private static Integer[] all() {
        return IntStream.rangeClosed(1, PROFILES).boxed().toArray(Integer[]::new);
    }

    /** The client sees what it wrote, and a replica would have told the old name. */
    private void assertSees(int id) {
        for (IntFunction<Where> read : List.<IntFunction<Where>>of(
                this.profiles::load, this.profiles::loadWithoutTransaction, this.profiles::list)) {
            Where own = inNextRequest(() -> read.apply(id));
            assertOnWriter(own);
            assertThat(own.value()).isEqualTo("new");
        }
        Where control = this.profiles.glance(id);
        assertOnReplica(control);
        assertThat(control.value()).isEqualTo("old");
    }

    private void inRequest(Runnable work) {
        request(() -> {
            assertThat(onWriter()).isEmpty();
            work.run();
            return null;
        });
    }

    @Test
    void onlyItsReadersAndThoseOfEverythingGoToTheWriter() {
        inRequest(() -> {
            this.profiles.rename(7, "new");
            assertOnReplica(this.profiles.load(8));
            assertOnWriter(this.profiles.list(8));
            assertSees(7);
            Set<Integer> scoped = onWriter();
            assertThat(scoped).containsExactly(7);
            this.profiles.renameUnscoped(8, "new");
            Set<Integer> unscoped = onWriter();
            assertThat(unscoped).containsExactly(all());
            assertSees(8);
            logger.info(
                    "Of {} profiles read after a write to one, on the writer with its scope: {}, without a scope: {}",
                    PROFILES,
                    scoped.size(),
                    unscoped.size());
        });
    }

    @Test
    void anAutoCommitStatementIsOfItsScope() {
        inRequest(() -> {
            this.profiles.renameWithoutTransaction(7, "new");
            assertSees(7);
            assertThat(onWriter()).containsExactly(7);
        });
    }

    @Test
    void aWriteUnderAContractIsOfTheContractsScope() {
        inRequest(() -> {
            this.profiles.renameUnderContract(7, "new");
            assertSees(7);
            assertThat(onWriter()).containsExactly(7);
        });
    }

    @Test
    void twoScopesOfOneTransactionBothRise() {
        inRequest(() -> {
            this.profiles.renameAround(7, "new", () -> {
                this.profiles.rename(9, "new");
                return null;
            });
            assertSees(7);
            assertSees(9);
            assertThat(onWriter()).containsExactly(7, 9);
        });
    }

    @Test
    void aScopedCallWithinAnUnscopedTransactionIsOfAnything() {
        inRequest(() -> {
            this.calls.unmarkedTransaction(() -> {
                this.items.write(8, "new");
                this.profiles.rename(7, "new");
                return null;
            });
            assertSees(7);
            assertSees(8);
            assertThat(onWriter()).containsExactly(all());
        });
    }

    @Test
    void aTransactionOfItsOwnIsOfItsOwnScope() {
        inRequest(() -> {
            this.calls.unmarkedTransaction(() -> {
                this.profiles.renameInNewTransaction(7, "new");
                return null;
            });
            assertSees(7);
            assertThat(onWriter()).containsExactly(7);
        });
    }

    @Test
    void aTransactionOfItsOwnWithinAnotherRisesAlthoughThatIsRolledBack() {
        inRequest(() -> {
            assertThatThrownBy(() -> this.profiles.renameAround(9, "never", () -> {
                        this.profiles.renameInNewTransaction(7, "new");
                        throw new IllegalStateException("thrown by the work");
                    }))
                    .hasMessage("thrown by the work");
            assertSees(7);
            assertThat(onWriter()).containsExactly(7);
        });
    }

    @Test
    void whatIsRolledBackRaisesNothing() {
        inRequest(() -> {
            assertThatThrownBy(() -> this.profiles.renameAround(7, "never", () -> {
                        throw new IllegalStateException("thrown by the work");
                    }))
                    .hasMessage("thrown by the work");
            assertThat(onWriter()).isEmpty();
        });
    }

    @Test
    void anObjectWithoutAnIdentifierIsOfAnything() {
        inRequest(() -> {
            this.profiles.save(new ScopedProfiles.Draft(7, "new"));
            assertThat(onWriter()).containsExactly(7);
            this.profiles.save(new ScopedProfiles.Draft(null, "new"));
            assertThat(onWriter()).containsExactly(all());
            Where created = inNextRequest(() -> this.profiles.load(PROFILES + 1));
            assertThat(created.value()).isEqualTo("new");
            assertThat(this.profiles.glance(PROFILES + 1).value()).isNull();
        });
    }

    @Test
    void oneThatJoinsATransactionOfAnObjectMakesItOfAnything() {
        inRequest(() -> {
            this.profiles.renameAround(7, "new", () -> {
                this.profiles.save(new ScopedProfiles.Draft(null, "new"));
                return null;
            });
            assertThat(onWriter()).containsExactly(all());
        });
    }

    @Test
    void moreObjectsThanAreToldApartAreOfAnything() {
        inRequest(() -> {
            for (int id = 1; id <= 8; id++) {
                this.profiles.rename(id, "new");
            }
            assertThat(onWriter()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
            this.profiles.rename(9, "new");
            assertThat(onWriter()).containsExactly(all());
            assertSees(1);
            assertSees(9);
        });
    }

    @Test
    void namesInCodeAreTheSameAsOnMethods() {
        inRequest(() -> {
            this.operations.writingTo("profile:7", () -> {
                this.items.write(7, "new");
                return null;
            });
            assertSees(7);
            assertThat(onWriter()).containsExactly(7);
            Where other = this.operations.read(
                    this.operations.contract(FreshnessMode.READ_YOUR_WRITES).withScopes("profile:8"),
                    () -> this.items.unmarkedReadOnly(8));
            assertOnReplica(other);
            Where own = this.operations.read(
                    this.operations.contract(FreshnessMode.READ_YOUR_WRITES).withScopes("profile:7", "profile:8"),
                    () -> this.items.unmarkedReadOnly(7));
            assertOnWriter(own);
        });
    }

    @Test
    void namingWhatIsWrittenIsNoContract() {
        inRequest(() -> assertOnWriter(this.profiles.readWithoutContract(7)));
    }

    @Test
    void anUnscopedCallAroundOrInsideAScopedOneOwesToAll() {
        inRequest(() -> {
            this.profiles.rename(7, "new");
            assertOnReplica(this.profiles.load(8));
            assertOnReplica(this.calls.eventual(() -> this.profiles.load(8)));
            assertOnWriter(this.calls.readYourWritesTransaction(() -> this.profiles.load(8)));
        });
    }

    @Test
    void withinARequestNoReadGoesBackBehindOneOnTheWriter() {
        inRequest(() -> {
            this.profiles.rename(7, "new");
            assertOnReplica(this.profiles.load(8));
            assertOnWriter(this.profiles.load(7));
            assertOnWriter(this.profiles.load(8));
            assertOnReplica(inNextRequest(() -> this.profiles.load(8)));
        });
    }

    @Test
    void aScopedWriteOutsideOfAnyRequestIsSeenWithinItsScope() {
        Where own = this.operations.newSession(() -> {
            this.profiles.rename(7, "new");
            assertOnReplica(this.profiles.load(8));
            return this.profiles.load(7);
        });
        assertOnWriter(own);
        assertThat(own.value()).isEqualTo("new");
        assertOnWriter(this.profiles.load(8));
    }

    @Test
    void onceAReplicaHasTheWriteItsReadersAreBack() {
        inRequest(() -> {
            this.profiles.rename(7, "new");
            assertThat(onWriter()).containsExactly(7);
            resumeReplicas();
            this.postgres.awaitCaughtUp();
            awaitEligibleReplicas(2);
            Where read = this.profiles.load(7);
            assertOnReplica(read);
            assertThat(Objects.requireNonNull(read.value())).isEqualTo("new");
        });
    }
}
