/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import jakarta.persistence.EntityManager;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.support.TransactionTemplate;

/** A write inherits read-only from the repository; and the ways in which JPA writes. */
@ReplicatedPostgresTest
@SpringBootTest(classes = ReplicatedApplication.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
class FieldCaseH03Tests extends ReplicationBed {

    @Autowired
    ShelfRepository shelves;

    @Autowired
    EntityManager entities;

    @Autowired
    TransactionTemplate transactions;

    @Autowired
    FreshnessOperations operations;

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    @BeforeEach
    void shelf() {
        this.primary.execute("create table if not exists shelf (id int primary key, name text, note text)");
        this.primary.execute("create table if not exists shelf_books (shelf_id int, books text)");
        this.primary.execute("create sequence if not exists shelf_ids");
        this.primary.execute("truncate shelf, shelf_books");
        this.primary.execute("insert into shelf values (1, 'old', 'old')");
        this.postgres.awaitCaughtUp();
        awaitEligibleReplicas(2);
    }

    private String name() {
        return this.primary.query("select name from shelf where id = 1");
    }

    private static void assertRefused(ThrowingCallable write, String... words) {
        assertThatThrownBy(write).satisfies(thrown -> {
            Throwable cause = thrown;
            while (!(cause instanceof SQLException refused)) {
                cause = cause.getCause();
            }
            assertThat(refused.getSQLState()).isEqualTo("25006");
            assertThat(refused.getSuppressed()).singleElement().asString().contains(words);
        });
    }

    @Test
    void aModifyingQueryInAReadOnlyTransactionIsRefusedAndSaysSo() {
        assertRefused(() -> this.shelves.rename(1, "new"), "writer", "declared read-only");
        assertRefused(
                () -> request(() -> this.calls.eventual(() -> this.shelves.rename(1, "new"))),
                "replica-",
                "declared read-only",
                "EVENTUAL of Calls.eventual");
        assertThat(name()).isEqualTo("old");
        awaitEligibleReplicas(2);
        assertOnReplica(request(() -> this.items.eventual(1)));
    }

    @Test
    void inAReadWriteTransactionItWritesOneRowOnTheWriter() {
        assertThat(this.transactions.<Integer>execute(status -> this.shelves.rename(1, "new")))
                .isEqualTo(1);
        assertThat(name()).isEqualTo("new");
    }

    /** Writes in a session while the replicas stand still, and reads what it wrote. */
    private void seesTheWrite(Runnable write) {
        pauseReplicas();
        try (ThreadScope request = ThreadScope.open(this.session)) {
            this.transactions.executeWithoutResult(status -> write.run());
            assertThat(this.session.floor("default")).isInstanceOf(Floor.At.class);
            assertThat(read(FreshnessMode.READ_YOUR_WRITES)).isEqualTo("new on false");
            assertThat(read(FreshnessMode.EVENTUAL)).isEqualTo("old on true");
        }
    }

    private String read(FreshnessMode mode) {
        return this.operations.read(mode, () -> (String) this.entities
                .createNativeQuery("select name || ' on ' || pg_is_in_recovery() from shelf where id = 1", String.class)
                .getSingleResult());
    }

    @Test
    void aFlushAtCommitIsSeen() {
        seesTheWrite(() -> this.entities.find(Shelf.class, 1).rename("new"));
    }

    @Test
    void aModifyingQueryIsSeen() {
        seesTheWrite(() -> this.shelves.rename(1, "new"));
    }

    @Test
    void aRollbackRaisesNoFloor() {
        try (ThreadScope request = ThreadScope.open(this.session)) {
            this.transactions.executeWithoutResult(status -> {
                this.shelves.rename(1, "new");
                status.setRollbackOnly();
            });
            this.transactions.executeWithoutResult(status -> this.entities.find(Shelf.class, 1));
            assertThat(this.session.floor("default")).isSameAs(Floor.none());
        }
    }

    @Test
    void idsOfASequenceAreDrawnOnTheWriter() {
        pauseReplicas();
        this.transactions.executeWithoutResult(status -> {
            Object id = this.entities
                    .createNativeQuery("select nextval('shelf_ids')", Integer.class)
                    .getSingleResult();
            this.entities.persist(new Shelf(1000 + (Integer) id, "drawn"));
        });
        assertThat(this.primary.query("select count(*) from shelf where name = 'drawn'"))
                .isEqualTo("1");
    }
}
