/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.freshness.FreshnessOperations;
import dev.freshness.ReplicaConflictException;
import dev.freshness.aop.AttemptTransactions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** A method whose own transaction a replica stops runs again as a whole, once and on the writer, or not at all. */
abstract class SecondRuns extends ConflictBed {

    @Autowired
    Reports reports;

    @Autowired
    JdbcTemplate template;

    @Autowired
    PlatformTransactionManager transactions;

    @Autowired
    FreshnessOperations operations;

    /** In the first run the transaction is ended while it lies idle. */
    private static Reports.Step inFirstRun(Reports.Step step) {
        return (run, first) -> {
            if (run == 1) {
                step.happens(run, first);
            }
        };
    }

    private void conflict(int run, Where first) {
        assertOnReplica(first);
        endIdle(first.pid(), Kind.LOCK);
    }

    private void terminate(int run, Where first) {
        assertOnReplica(first);
        this.replica.query("select pg_terminate_backend(" + first.pid() + ")");
        await().atMost(DEADLINE).until(() -> isGone(first.pid()));
    }

    private double reruns(String reason, String outcome) {
        Counter counter = this.meters
                .find("freshness.reruns")
                .tag("database", "default")
                .tag("reason", reason)
                .tag("outcome", outcome)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private double fallbacks(String reason) {
        return this.meters
                .find("freshness.decisions")
                .tag("outcome", "writer_fallback")
                .tag("reason", reason)
                .functionCounters()
                .stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    /** Runs a method that is stopped on the replica in its first run; the second answers, all of it, from the writer. */
    private void assertRunsAgain(String reason, ThrowingCallableOf<List<Where>> method) throws Exception {
        double succeeded = reruns(reason, "success");
        double decided = fallbacks(reason);
        List<Where> answer = method.call();
        assertThat(answer).allSatisfy(this::assertOnWriter);
        assertThat(answer.stream().map(Where::pid).distinct()).hasSize(1);
        assertThat(this.reports.runs()).isEqualTo(2);
        assertThat(reruns(reason, "success") - succeeded).isEqualTo(1);
        assertThat(fallbacks(reason) - decided).isEqualTo(1);
        assertThat(this.database.fallbacks().active()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void afterAConflictFoundByAStatement(Kind kind) throws Exception {
        this.reports.prepare((run, first) -> {
            if (run == 1) {
                endIdle(first.pid(), kind);
            } else {
                assertThat(this.database.fallbacks().active()).isEqualTo(1);
            }
        });
        assertRunsAgain("recovery-conflict", () -> this.reports.twice(1));
        assertCounted(0, 1);
        assertReplicaStaysInRotation();
    }

    @Test
    void afterAStatementWasCancelled() throws Exception {
        this.reports.prepare(inFirstRun((run, first) -> {
            CompletableFuture<Void> strike = cancelNextLongRead(Kind.SNAPSHOT);
            try {
                this.jdbc.sql(LONG_READ).query(Long.class).single();
            } finally {
                strike.join();
            }
        }));
        assertRunsAgain("recovery-conflict", () -> this.reports.twice(1));
        assertCounted(1, 0);
        assertReplicaStaysInRotation();
    }

    @Test
    void afterAConflictFoundByTheCommit() throws Exception {
        this.reports.prepare(inFirstRun(this::conflict));
        assertRunsAgain("recovery-conflict", () -> List.of(this.reports.once(1)));
        assertCounted(0, 1);
        assertReplicaStaysInRotation();
    }

    @Test
    void alsoIfBusinessCodeWrapsTheFailure() throws Exception {
        this.reports.prepare(inFirstRun(this::conflict));
        assertRunsAgain("recovery-conflict", () -> this.reports.twiceWrapped(1));
    }

    @Test
    void alsoInASessionOfAClient() throws Exception {
        this.reports.prepare(inFirstRun(this::conflict));
        assertRunsAgain("recovery-conflict", () -> request(() -> this.reports.twiceInNewTransaction(1)));
    }

    @Test
    void alsoWhereTheMethodReadsOneBusinessObject() throws Exception {
        this.reports.prepare(inFirstRun(this::conflict));
        assertRunsAgain("recovery-conflict", () -> request(() -> this.reports.twiceOfOne(1)));
    }

    @Test
    void alsoInANewTransactionWithinAnother() throws Exception {
        this.reports.prepare(inFirstRun(this::conflict));
        assertRunsAgain(
                "recovery-conflict",
                () -> request(() -> this.calls.eventualTransaction(() -> this.reports.twiceInNewTransaction(1))));
    }

    @Test
    void afterAConnectionWasLost() throws Exception {
        this.reports.prepare(inFirstRun(this::terminate));
        assertRunsAgain("connection-lost", () -> this.reports.twice(1));
        assertCounted(0, 0);
    }

    @Test
    void orFoundLostByTheCommit() throws Exception {
        this.reports.prepare(inFirstRun(this::terminate));
        assertRunsAgain("connection-lost", () -> List.of(this.reports.once(1)));
    }

    @Test
    void afterTheReplicaWasKilled() throws Exception {
        this.reports.prepare(inFirstRun((run, first) -> this.replica.kill()));
        assertRunsAgain("connection-lost", () -> this.reports.twice(1));
        assertCounted(0, 0);
    }

    @Test
    void aSecondRunThatFailsFailsWithBoth() {
        double failed = reruns("recovery-conflict", "failure");
        IllegalStateException own = new IllegalStateException("of the second run");
        this.reports.prepare((run, first) -> {
            if (run == 2) {
                throw own;
            }
            conflict(run, first);
        });
        assertThatThrownBy(() -> this.reports.twice(1)).isSameAs(own);
        assertThat(own.getSuppressed()).hasExactlyElementsOfTypes(ReplicaConflictException.class);
        assertThat(this.reports.runs()).isEqualTo(2);
        assertThat(reruns("recovery-conflict", "failure") - failed).isEqualTo(1);
    }

    // Not run again

    private void assertRunsOnce(Reports.Step step, ThrowingCallable method) {
        double before = allReruns();
        this.reports.prepare(inFirstRun(step));
        Throwable thrown = catchThrowable(method);
        assertThat(thrown).isInstanceOf(ReplicaConflictException.class);
        assertThat(this.reports.runs()).isEqualTo(1);
        assertThat(allReruns()).isEqualTo(before);
        assertCounted(0, 1);
        assertReplicaStaysInRotation();
    }

    private double allReruns() {
        return this.meters.find("freshness.reruns").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Test
    void notIfTheAnnotationSaysNo() {
        assertRunsOnce(this::conflict, () -> this.reports.twiceNeverAgain(1));
    }

    @Test
    void notIfTheWriterMayNotAnswerInPlaceOfAReplica() {
        assertRunsOnce(this::conflict, () -> this.reports.twiceOrReject(1));
    }

    @Test
    void notIfItReturnsAStream() {
        assertRunsOnce(this::conflict, () -> this.reports.twiceAsStream(1));
    }

    @Test
    void notIfItTakesACallback() {
        assertRunsOnce(this::conflict, () -> this.reports.twiceWithCallback(1, row -> {}));
    }

    @Test
    void notIfItJoinedATransaction() {
        assertRunsOnce(this::conflict, () -> this.calls.eventualSnapshot(() -> this.reports.twice(1)));
    }

    /** A transaction within the method's own is lost, of which the method's own feels nothing. */
    private void loseAnotherInside(int run, Where first) {
        TransactionTemplate inside = new TransactionTemplate(this.transactions);
        inside.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        inside.setReadOnly(true);
        inside.executeWithoutResult(status -> {
            terminate(run, Where.read(this.jdbc, 1));
            Where.read(this.jdbc, 1);
        });
    }

    private void assertRunsOnceThoughAnotherTransactionIsLost(ThrowingCallable method) {
        double before = allReruns();
        this.reports.prepare(inFirstRun(this::loseAnotherInside));
        assertThatThrownBy(method).rootCause().hasFieldOrPropertyWithValue("SQLState", "57P01");
        assertThat(this.reports.runs()).isEqualTo(1);
        assertThat(allReruns()).isEqualTo(before);
    }

    @Test
    void notIfAnotherTransactionThanItsOwnWasLost() {
        assertRunsOnceThoughAnotherTransactionIsLost(() -> this.reports.once(1));
    }

    @Test
    void norIfThatHappenedWithinATransactionThatItJoined() {
        assertRunsOnceThoughAnotherTransactionIsLost(() -> this.calls.eventualTransaction(() -> this.reports.once(1)));
    }

    private Reports.Step conflictAfter(Runnable before) {
        return (run, first) -> {
            before.run();
            conflict(run, first);
        };
    }

    @Test
    void notAfterACommit() {
        assertRunsOnce(conflictAfter(() -> this.items.writeInNewTransaction(2, "new")), () -> this.reports.twice(1));
    }

    @Test
    void notAfterAMark() {
        assertRunsOnce(conflictAfter(() -> this.operations.markWritten("default")), () -> this.reports.twice(1));
    }

    @Test
    void notAfterAWriteInASessionOfItsOwn() {
        assertRunsOnce(
                conflictAfter(() -> this.operations.newSession(() -> {
                    this.items.writeInNewTransaction(2, "new");
                    return null;
                })),
                () -> this.reports.twice(1));
    }

    @Test
    void notAfterACursorHasDeliveredRows() {
        JdbcTemplate cursor = new JdbcTemplate(this.database.dataSource());
        cursor.setFetchSize(2);
        assertRunsOnce(
                conflictAfter(() -> cursor.queryForList("select * from generate_series(1, 10)")),
                () -> this.reports.twice(1));
    }

    @Test
    void notAfterTheDriversConnectionWasHandedOut() {
        assertRunsOnce(
                conflictAfter(() -> this.template.execute((Connection connection) ->
                        connection.unwrap(PGConnection.class).getBackendPID())),
                () -> this.reports.twice(1));
    }

    /** On a resource that is none of ours, of whose transactions nothing is known but that they began. */
    @Test
    void notAfterATransactionThatMayHaveWrittenElsewhere() {
        JdbcTransactionManager elsewhere = new JdbcTransactionManager(
                this.database.dataSource().pools().get(0).dataSource());
        elsewhere.setTransactionExecutionListeners(List.of(new AttemptTransactions()));
        assertRunsOnce(
                conflictAfter(() -> {
                    TransactionTemplate nested = new TransactionTemplate(elsewhere);
                    nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
                    nested.executeWithoutResult(status -> {});
                }),
                () -> this.reports.twice(1));
    }

    /** What the method makes of a conflict itself is its own affair. */
    @Test
    void notIfItReturns() {
        double before = allReruns();
        this.reports.prepare((run, first) -> {
            CompletableFuture<Void> strike = cancelNextLongRead(Kind.LOCK);
            assertThatThrownBy(() -> this.jdbc.sql(LONG_READ).query(Long.class).single())
                    .isInstanceOf(ReplicaConflictException.class);
            strike.join();
        });
        assertOnReplica(this.reports.once(1));
        assertThat(allReruns()).isEqualTo(before);
    }

    /** Nothing was wrong with the transaction. */
    @Test
    void notAfterAFailureOfItsOwn() {
        IllegalStateException own = new IllegalStateException("of the method");
        double before = allReruns();
        this.reports.prepare((run, first) -> {
            throw own;
        });
        assertThatThrownBy(() -> this.reports.twice(1)).isSameAs(own);
        assertThat(this.reports.runs()).isEqualTo(1);
        assertThat(allReruns()).isEqualTo(before);
    }

    /** A call that answers. */
    interface ThrowingCallableOf<T> {

        T call() throws Exception;
    }
}
