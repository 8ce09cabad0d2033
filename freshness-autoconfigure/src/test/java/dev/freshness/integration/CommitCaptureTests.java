/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Bookkeeping never breaks a commit: an ordinary role, and a server that takes back what it allowed. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            ReplicatedApplication.WITHOUT_JPA,
            "spring.datasource.username=ordinary",
            "spring.datasource.hikari.maximum-pool-size=1"
        })
class CommitCaptureTests extends ReplicationBed {

    @Autowired
    TransactionTemplate transactions;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    JdbcTemplate template;

    @Autowired
    @Qualifier("freshnessWriterPool")
    HikariDataSource writerPool;

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    @BeforeAll
    static void ordinaryRole(PostgresNode primary) {
        primary.execute(
                "do $$ begin if to_regrole('ordinary') is null then create role ordinary login; end if; end $$");
        primary.execute("create table if not exists item (id int primary key, name text)");
        primary.execute("grant select, insert, update, delete on item to ordinary");
    }

    /** What a server allows is learned once for each physical connection. */
    @BeforeEach
    void aNewPhysicalConnection() {
        this.items.unmarked(1);
        this.writerPool.getHikariPoolMXBean().softEvictConnections();
    }

    @AfterEach
    void allowEverything(ReplicatedPostgres postgres) {
        postgres.primary().execute("grant execute on function pg_current_wal_flush_lsn() to public");
        postgres.primary().execute("grant execute on function pg_current_xact_id_if_assigned() to public");
    }

    private void write(String name) {
        try (ThreadScope request = ThreadScope.open(this.session)) {
            this.items.write(1, name);
        }
    }

    private Floor floor() {
        return this.session.floor("default");
    }

    private String committed() {
        return this.primary.query("select name from item where id = 1");
    }

    @Test
    void anOrdinaryRoleGetsExactFloors() {
        write("new");
        assertThat(floor()).isInstanceOf(Floor.At.class);
    }

    @Test
    void aPositionThatMayNotBeReadAfterCommitLeavesTheCommitAlone() {
        write("first");
        assertThat(floor()).isInstanceOf(Floor.At.class);
        this.primary.execute("revoke execute on function pg_current_wal_flush_lsn() from public");
        write("second");
        assertThat(committed()).isEqualTo("second");
        assertThat(floor()).isInstanceOf(Floor.Unknown.class);
        this.primary.execute("grant execute on function pg_current_wal_flush_lsn() to public");
        write("third");
        assertThat(committed()).isEqualTo("third");
        assertThat(floor()).isInstanceOf(Floor.At.class);
    }

    @Test
    void aServerThatDoesNotLetEveryoneAskGetsPlainCommits() {
        this.primary.execute("revoke execute on function pg_current_xact_id_if_assigned() from public");
        write("new");
        assertThat(committed()).isEqualTo("new");
        assertThat(floor()).isInstanceOf(Floor.Unknown.class);
    }

    @Test
    void aRoleOfTheTransactionThatMayNotAskDoesNotFailTheCommit() {
        this.primary.execute("do $$ begin if to_regrole('limited') is null then create role limited; end if; end $$");
        this.primary.execute("grant limited to ordinary");
        this.primary.execute("grant select, update on item to limited");
        this.primary.execute("revoke execute on function pg_current_xact_id_if_assigned() from public");
        this.primary.execute("grant execute on function pg_current_xact_id_if_assigned() to ordinary");
        try (ThreadScope request = ThreadScope.open(this.session)) {
            this.transactions.executeWithoutResult(status -> {
                this.jdbc.sql("set local role limited").update();
                this.jdbc.sql("update item set name = 'limited' where id = 1").update();
            });
        } finally {
            this.primary.execute("revoke execute on function pg_current_xact_id_if_assigned() from ordinary");
        }
        assertThat(committed()).isEqualTo("limited");
        assertThat(floor()).isInstanceOf(Floor.Unknown.class);
    }

    @Test
    void anArmedCancelMakesTheCommitPlain() {
        write("first");
        assertThat(floor()).isInstanceOf(Floor.At.class);
        try (ThreadScope request = ThreadScope.open(this.session)) {
            this.transactions.executeWithoutResult(status -> {
                this.template.setQueryTimeout(30);
                this.template.update("update item set name = 'new' where id = 1");
                this.template.setQueryTimeout(-1);
            });
        }
        assertThat(committed()).isEqualTo("new");
        assertThat(floor()).isInstanceOf(Floor.Unknown.class);
    }

    @Test
    void aRefusedCommitIsRefused() {
        this.primary.execute("create table if not exists pair (id int unique deferrable initially deferred)");
        this.primary.execute("grant insert on pair to ordinary");
        try (ThreadScope request = ThreadScope.open(this.session)) {
            assertThatThrownBy(() -> this.transactions.executeWithoutResult(status ->
                            this.jdbc.sql("insert into pair values (1), (1)").update()))
                    .isInstanceOf(DataIntegrityViolationException.class);
        }
        assertThat(floor()).isSameAs(Floor.none());
        assertThat(this.primary.query("select count(*) from pair")).isEqualTo("0");
    }
}
