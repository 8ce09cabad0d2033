/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.CommitInDoubtException;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.jdbc.CommitOutcome;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.NodePool;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.routing.RoutingListener;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The line is cut around a commit: callers see what a plain commit would give, and their reads owe to the write. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class CommitFaultTests extends ReplicationBed {

    /** What a caller sees of a transaction. */
    private record Seen(
            @Nullable String exception, @Nullable String state, int completion) {}

    @Autowired
    FreshnessRoutingDataSource application;

    @Autowired
    FreshnessOperations operations;

    private final List<CommitOutcome> outcomes = new ArrayList<>();

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

    private TcpTap tap;

    @BeforeEach
    void listen() throws IOException {
        this.tap = new TcpTap(this.primary.port());
    }

    @AfterEach
    void hangUp() throws IOException {
        this.tap.close();
    }

    private HikariDataSource pool(String queryMode) {
        return this.tap.pool(this.primary, "preferQueryMode=" + queryMode);
    }

    private FreshnessRoutingDataSource routed(HikariDataSource pool) {
        return new FreshnessRoutingDataSource(
                "default",
                new NodePool("writer", pool),
                this.application.pools().subList(1, 3),
                new StateOnly(this.database::state),
                RoutingListener.NONE,
                new WriteListener() {
                    @Override
                    public void committed(String database, CommitOutcome outcome, long nanos) {
                        CommitFaultTests.this.outcomes.add(outcome);
                        throw new IllegalStateException("A listener must not change what a commit reports");
                    }
                });
    }

    private Seen write(DataSource dataSource, String name) {
        int[] completion = {-1};
        Throwable failure = catchThrowable(() -> new TransactionTemplate(new JdbcTransactionManager(dataSource))
                .executeWithoutResult(status -> {
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCompletion(int status) {
                            completion[0] = status;
                        }
                    });
                    JdbcClient.create(dataSource)
                            .sql("update item set name = ? where id = 1")
                            .param(name)
                            .update();
                }));
        this.thrown.set(failure);
        Throwable cause = failure;
        while (cause != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return new Seen(
                failure == null ? null : failure.getClass().getName(),
                cause == null ? null : ((SQLException) cause).getSQLState(),
                completion[0]);
    }

    private String stored() {
        return this.primary.query("select name from item where id = 1");
    }

    private void assertOwnReadsAreOnTheWriter(DataSource dataSource) {
        Where own = this.operations.read(
                FreshnessMode.READ_YOUR_WRITES, () -> Where.read(JdbcClient.create(dataSource), 1));
        assertOnWriter(own);
        assertThat(own.value()).isEqualTo(stored());
        Where control = this.items.eventual(1);
        assertOnReplica(control);
        assertThat(control.value()).isEqualTo("old");
    }

    @ParameterizedTest
    @ValueSource(strings = {"extended", "simple"})
    void theLineBreaksBetweenTheCommitAndItsPosition(String queryMode) {
        pauseReplicas();
        try (HikariDataSource pool = pool(queryMode);
                ThreadScope request = ThreadScope.open(this.session)) {
            DataSource routed = routed(pool);
            this.tap.cut(TcpTap.Cut.AFTER_THE_COMMAND_TAG);
            assertThat(write(routed, "committed"))
                    .isEqualTo(new Seen(null, null, TransactionSynchronization.STATUS_COMMITTED));
            this.tap.cut(TcpTap.Cut.NEVER);
            assertThat(stored()).isEqualTo("committed");
            assertThat(this.session.floor("default")).isInstanceOf(Floor.Unknown.class);
            assertThat(this.outcomes).containsExactly(CommitOutcome.POSITION_FAILED);
            assertOwnReadsAreOnTheWriter(routed);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"extended", "simple"})
    void theLineBreaksBeforeTheAnswer(String queryMode) {
        Seen plain;
        try (HikariDataSource pool = pool(queryMode)) {
            this.tap.cut(TcpTap.Cut.BEFORE_THE_ANSWER);
            plain = write(pool, "old");
            this.tap.cut(TcpTap.Cut.NEVER);
        }
        this.postgres.awaitCaughtUp();
        pauseReplicas();
        try (HikariDataSource pool = pool(queryMode);
                ThreadScope request = ThreadScope.open(this.session)) {
            DataSource routed = routed(pool);
            this.tap.cut(TcpTap.Cut.BEFORE_THE_ANSWER);
            Seen ours = write(routed, "in doubt");
            this.tap.cut(TcpTap.Cut.NEVER);
            assertThat(ours).isEqualTo(plain);
            assertThat(CommitInDoubtException.isMarkedOn(this.thrown.get())).isTrue();
            // No later sample of the writer vouches for a commit that may still come.
            assertThat(this.session.floor("default"))
                    .isInstanceOfSatisfying(
                            Floor.Unknown.class,
                            floor -> assertThat(floor.resolvable()).isFalse());
            assertThat(this.outcomes).containsExactly(CommitOutcome.IN_DOUBT);
            assertThat(stored()).isEqualTo("in doubt");
            assertOwnReadsAreOnTheWriter(routed);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /** A cancel that has fired may still be on its way when COMMIT is, so nothing goes out with that. */
    @Test
    void aQueryTimeoutFiredInTheTransaction() {
        pauseReplicas();
        try (HikariDataSource pool = pool("extended");
                ThreadScope request = ThreadScope.open(this.session)) {
            DataSource routed = routed(pool);
            JdbcTemplate template = new JdbcTemplate(routed);
            new TransactionTemplate(new JdbcTransactionManager(routed)).executeWithoutResult(status -> {
                Object savepoint = status.createSavepoint();
                template.setQueryTimeout(1);
                assertThat(catchThrowable(() -> template.execute("select pg_sleep(60)")))
                        .isInstanceOf(QueryTimeoutException.class);
                template.setQueryTimeout(-1);
                status.rollbackToSavepoint(savepoint);
                template.update("update item set name = 'after a timeout' where id = 1");
            });
            assertThat(stored()).isEqualTo("after a timeout");
            assertThat(this.session.floor("default")).isInstanceOf(Floor.Unknown.class);
            assertThat(this.outcomes).containsExactly(CommitOutcome.DEFERRED);
            assertOwnReadsAreOnTheWriter(routed);
        }
    }
}
