/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import jakarta.persistence.EntityManager;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;

/** The same by a JPA transaction manager, and what a second run finds in its persistence context. */
@ReplicatedPostgresTest(replicas = 1, serverSettings = ConflictBed.SETTING)
@Import({Requests.class, Reports.class, SecondRunsWithJpaTests.Authors.class})
@SpringBootTest(classes = ReplicatedApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class SecondRunsWithJpaTests extends SecondRuns {

    @Autowired
    Requests requests;

    @Autowired
    Authors authors;

    @LocalServerPort
    int port;

    @Override
    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        this.primary = postgres.primary();
        this.primary.execute("create table if not exists author (id int primary key, name text, note text)");
        this.primary.execute("insert into author values (1, 'old', 'old')"
                + " on conflict (id) do update set name = 'old', note = 'old'");
        super.bed(postgres);
        this.authors.prepare(this::renameAndConflict);
    }

    private void renameAndConflict() {
        int backend = Where.read(this.jdbc, 1).pid();
        this.primary.execute("update author set name = 'new' where id = 1");
        endIdle(backend, Kind.LOCK);
    }

    private void assertNameIsThatOfTheWriter(String name) {
        assertThat(name).isEqualTo("new");
        assertThat(this.authors.runs()).isEqualTo(2);
        assertCounted(0, 1);
    }

    @Test
    void aSecondRunLoadsAnew() {
        assertNameIsThatOfTheWriter(this.authors.name(1));
    }

    @Test
    void soUnderOpenInView() {
        assertNameIsThatOfTheWriter(this.requests.get(this.port, () -> this.authors.name(1)));
    }

    @Test
    void soInTheContextOfACallAround() {
        assertNameIsThatOfTheWriter(
                this.requests.get(this.port, () -> this.calls.eventual(() -> this.authors.name(1))));
    }

    /** A user's service over entities. */
    static class Authors {

        private final EntityManager entityManager;

        private final AtomicInteger runs = new AtomicInteger();

        private volatile Runnable conflict = () -> {};

        Authors(EntityManager entityManager) {
            this.entityManager = entityManager;
        }

        public void prepare(Runnable conflict) {
            this.runs.set(0);
            this.conflict = conflict;
        }

        public int runs() {
            return this.runs.get();
        }

        @Freshness(FreshnessMode.EVENTUAL)
        @Transactional(readOnly = true)
        public String name(int id) {
            Author author = this.entityManager.find(Author.class, id);
            if (this.runs.incrementAndGet() == 1) {
                assertThat(author.name()).isEqualTo("old");
                this.conflict.run();
            }
            this.entityManager.createNativeQuery("select 1").getSingleResult();
            return author.name();
        }
    }
}
