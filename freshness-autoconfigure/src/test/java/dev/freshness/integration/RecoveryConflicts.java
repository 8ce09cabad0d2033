/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.ReplicaConflictException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A recovery conflict reaches the caller as what it is, however the read was made, and is held against nobody. */
abstract class RecoveryConflicts extends ConflictBed {

    @Autowired
    FreshnessOperations operations;

    @Autowired
    JdbcTemplate template;

    @Autowired
    DataSource dataSource;

    @Autowired
    PlatformTransactionManager transactions;

    private static ReplicaConflictException assertConflict(ThrowingCallable work, String words) {
        ReplicaConflictException[] conflict = new ReplicaConflictException[1];
        assertThatThrownBy(work).isInstanceOfSatisfying(ReplicaConflictException.class, ex -> conflict[0] = ex);
        assertThat(conflict[0].getMessage())
                .contains("replica-1 of database default")
                .contains(words)
                .doesNotContainIgnoringCase("select");
        assertThat(conflict[0].isTransient()).isTrue();
        return conflict[0];
    }

    private static String stateOf(ReplicaConflictException conflict) {
        return ((SQLException) conflict.getCause()).getSQLState();
    }

    private void assertCancelled(Kind kind, ThrowingCallable work, String contract) {
        CompletableFuture<Void> strike = cancelNextLongRead(kind);
        ReplicaConflictException conflict = assertConflict(work, "cancelled a read under EVENTUAL of " + contract);
        strike.join();
        assertThat(stateOf(conflict)).isEqualTo("40001");
        assertCounted(1, 0);
        assertReplicaStaysInRotation();
    }

    private long readLong() {
        return this.jdbc.sql(LONG_READ).query(Long.class).single();
    }

    @ParameterizedTest
    @EnumSource
    void aStatementIsCancelled(Kind kind) {
        assertCancelled(kind, () -> this.calls.eventualTransaction(this::readLong), "Calls.eventualTransaction");
    }

    @Test
    void soOutsideOfATransaction() {
        assertCancelled(Kind.SNAPSHOT, () -> this.calls.eventual(this::readLong), "Calls.eventual");
    }

    @Test
    void soByJdbcTemplateAndPlainStatements() {
        assertCancelled(
                Kind.LOCK,
                () -> this.calls.eventualTransaction(() -> this.template.queryForList(LONG_READ)),
                "Calls.eventualTransaction");
    }

    @Test
    void soInABatch() {
        Supplier<int[]> batch = () -> this.template.batchUpdate("do $$ begin perform pg_sleep(60) from item; end $$");
        assertCancelled(Kind.LOCK, () -> this.calls.eventualTransaction(batch), "Calls.eventualTransaction");
    }

    @Test
    void soInATransactionOfATemplate() {
        assertCancelled(
                Kind.LOCK,
                () -> this.operations.read(FreshnessMode.EVENTUAL, () -> {
                    TransactionTemplate readOnly = new TransactionTemplate(this.transactions);
                    readOnly.setReadOnly(true);
                    return readOnly.execute(status -> readLong());
                }),
                "FreshnessOperations");
    }

    private void assertEnded(ThrowingCallable work, String contract) {
        ReplicaConflictException conflict =
                assertConflict(work, "ended the connection of a read under EVENTUAL of " + contract);
        assertThat(stateOf(conflict)).isEqualTo("40001");
        assertCounted(0, 1);
        assertReplicaStaysInRotation();
    }

    private int readThenConflict(Kind kind) {
        Where where = Where.read(this.jdbc, 1);
        assertOnReplica(where);
        endIdle(where.pid(), kind);
        return where.pid();
    }

    @ParameterizedTest
    @EnumSource
    void anIdleTransactionIsEndedAndItsNextStatementFindsOut(Kind kind) {
        assertEnded(
                () -> this.calls.eventualSnapshot(() -> {
                    readThenConflict(kind);
                    return Where.read(this.jdbc, 1);
                }),
                "Calls.eventualSnapshot");
    }

    @Test
    void orItsCommitDoes() {
        assertEnded(
                () -> this.calls.eventualTransaction(() -> readThenConflict(Kind.LOCK)), "Calls.eventualTransaction");
    }

    @Test
    void orItsCommitInATemplateDoes() {
        assertEnded(
                () -> this.operations.read(FreshnessMode.EVENTUAL, () -> {
                    TransactionTemplate readOnly = new TransactionTemplate(this.transactions);
                    readOnly.setReadOnly(true);
                    return readOnly.execute(status -> readThenConflict(Kind.LOCK));
                }),
                "FreshnessOperations");
    }

    /** The caller's own failure stands; that the transaction was gone before its rollback is counted all the same. */
    @Test
    void orItsRollbackDoes() {
        IllegalStateException own = new IllegalStateException("of the caller");
        assertThatThrownBy(() -> this.calls.eventualTransaction(() -> {
                    readThenConflict(Kind.LOCK);
                    throw own;
                }))
                .isSameAs(own);
        assertCounted(0, 1);
        assertReplicaStaysInRotation();
    }

    @Test
    void orTheFetchOfMoreRows() {
        assertEnded(
                () -> this.calls.eventualTransaction(() -> {
                    int backend = Where.read(this.jdbc, 1).pid();
                    JdbcTemplate cursor = new JdbcTemplate(this.dataSource);
                    cursor.setFetchSize(2);
                    cursor.query("select i from generate_series(1, 10) i, item where id = 1", row -> {
                        if (row.getInt(1) == 1) {
                            endIdle(backend, Kind.SNAPSHOT);
                        }
                    });
                    return null;
                }),
                "Calls.eventualTransaction");
    }

    @Test
    void orASavepoint() {
        assertEnded(
                () -> this.calls.eventualTransaction(() -> {
                    readThenConflict(Kind.LOCK);
                    return this.template.execute((Connection connection) -> connection.setSavepoint());
                }),
                "Calls.eventualTransaction");
    }

    /** Only a whole new transaction can go on; whoever tries with the dead one is told what it died of, once counted. */
    @Test
    void aCancelledTransactionThatIsUsedAnyFurtherSaysSoAgain() {
        ReplicaConflictException conflict = assertConflict(
                () -> this.calls.eventualTransaction(() -> {
                    CompletableFuture<Void> strike = cancelNextLongRead(Kind.LOCK);
                    assertThatThrownBy(this::readLong).isInstanceOf(ReplicaConflictException.class);
                    strike.join();
                    return Where.read(this.jdbc, 1);
                }),
                "under EVENTUAL of Calls.eventualTransaction");
        assertThat(stateOf(conflict)).isEqualTo("25P02");
        assertCounted(1, 0);
    }

    /** On a connection that stays open over several statements, as that of a persistence context does. */
    @Test
    void theNextStatementOutsideOfATransactionGetsAnotherConnection() {
        this.calls.eventual(() -> this.template.execute((Connection connection) -> {
            int before = backend(connection);
            this.replica.query("select pg_terminate_backend(" + before + ")");
            await().atMost(DEADLINE).until(() -> isGone(before));
            assertThatThrownBy(() -> backend(connection)).isInstanceOf(SQLException.class);
            awaitInRotation();
            assertThat(isGone(backend(connection))).as("on another server").isFalse();
            return null;
        }));
        assertCounted(0, 0);
    }

    private static int backend(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select pg_backend_pid()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void aLostConnectionIsNoConflict() {
        assertThatThrownBy(() -> this.calls.eventualTransaction(() -> {
                    int backend = Where.read(this.jdbc, 1).pid();
                    this.replica.query("select pg_terminate_backend(" + backend + ")");
                    await().atMost(DEADLINE).until(() -> isGone(backend));
                    return Where.read(this.jdbc, 1);
                }))
                .isInstanceOf(DataAccessException.class)
                .isNotInstanceOf(ReplicaConflictException.class)
                .hasRootCauseInstanceOf(SQLException.class)
                .rootCause()
                .hasFieldOrPropertyWithValue("SQLState", "57P01");
        assertCounted(0, 0);
        awaitInRotation();
    }

    @Test
    void userMistakesAreNoConflicts() {
        for (String mistake : new String[] {
            "select 1 / 0", "select from nowhere", "update item set name = 'refused'", "select nextval('nowhere')",
        }) {
            assertThatThrownBy(() -> this.calls.eventualTransaction(
                            () -> this.jdbc.sql(mistake).query().listOfRows()))
                    .isInstanceOf(DataAccessException.class)
                    .isNotInstanceOf(ReplicaConflictException.class);
        }
        assertCounted(0, 0);
        assertReplicaStaysInRotation();
    }
}
