/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.WriterUnavailableException;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.NodePool;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.routing.Outcome;
import dev.freshness.routing.Reason;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What happens between a decision and its first statement. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class BorrowTests extends ReplicationBed {

    @Autowired
    FreshnessRoutingDataSource routed;

    @Autowired
    FreshnessOperations operations;

    private final List<RoutingDecision> decisions = new ArrayList<>();

    private final List<Integer> probed = new ArrayList<>();

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    /** The application's own pools and observations, with something done to the replicas' pools. */
    private Where read(FreshnessMode mode, Function<List<NodePool>, List<NodePool>> change) {
        List<NodePool> pools = this.routed.pools();
        FreshnessRoutingDataSource changed = new FreshnessRoutingDataSource(
                "default",
                pools.get(0),
                change.apply(pools.subList(1, pools.size())),
                new StateOnly(this.database::state, this.probed::add),
                (database, contract, decision, enforced) -> this.decisions.add(decision),
                WriteListener.NONE);
        try (ThreadScope request = ThreadScope.open(this.session)) {
            return this.operations.read(mode, () -> Where.read(JdbcClient.create(changed), 1));
        }
    }

    private static NodePool with(NodePool pool, DataSource dataSource) {
        return new NodePool(pool.name(), dataSource);
    }

    @Test
    void theContractIsCheckedAgainAfterTheBorrow() {
        Where where = read(
                FreshnessMode.READ_YOUR_WRITES,
                replicas -> replicas.stream()
                        .map(pool -> with(pool, new DelegatingDataSource(pool.dataSource()) {
                            @Override
                            public Connection getConnection() throws SQLException {
                                raiseBeyondEverything();
                                return super.getConnection();
                            }
                        }))
                        .toList());
        assertOnWriter(where);
        assertThat(this.decisions)
                .singleElement()
                .extracting(RoutingDecision::outcome)
                .isEqualTo(Outcome.WRITER_FALLBACK);
    }

    private void raiseBeyondEverything() {
        PrimaryObservation writer = this.database.state().livePrimary(System.nanoTime());
        this.session.raise(
                "default",
                Set.of(),
                new WalPosition(
                        writer.identity().systemIdentifier(),
                        writer.timeline(),
                        new Lsn(writer.flush().value() + (1L << 32))),
                System.nanoTime(),
                writer.identity());
    }

    /** One address, several servers: an observation vouches only for the server that it was made of. */
    @Test
    void aConnectionToAnotherServerThanTheOneObservedIsNotUsed() {
        Where where = read(FreshnessMode.EVENTUAL, replicas -> {
            List<DataSource> swapped =
                    new ArrayList<>(replicas.stream().map(NodePool::dataSource).toList());
            Collections.reverse(swapped);
            return List.of(with(replicas.get(0), swapped.get(0)), with(replicas.get(1), swapped.get(1)));
        });
        assertOnWriter(where);
        assertThat(this.decisions)
                .containsExactly(
                        new RoutingDecision(Outcome.WRITER_FALLBACK, Reason.BORROW_FAILED, RoutingDecision.NO_REPLICA));
        assertThat(this.probed).containsExactlyInAnyOrder(0, 1);
    }

    /** The same, where the address leads to the primary: it is no replica, wherever it was configured. */
    @Test
    void aConnectionToThePrimaryIsNotUsedAsAReplica() {
        DataSource primaryPool = this.routed.pools().get(0).dataSource();
        Where where = read(
                FreshnessMode.EVENTUAL,
                replicas ->
                        replicas.stream().map(pool -> with(pool, primaryPool)).toList());
        assertOnWriter(where);
        assertThat(this.decisions).extracting(RoutingDecision::reason).containsExactly(Reason.BORROW_FAILED);
    }

    /** The writer's address leads to a standby: no work that only the writer may do is done there. */
    @Test
    void aStandbyBehindTheWritersAddressServesNothingAsTheWriter() {
        FreshnessRoutingDataSource misled = new FreshnessRoutingDataSource(
                "default",
                with(this.routed.pools().get(0), this.routed.pools().get(1).dataSource()),
                this.routed.pools().subList(1, 3),
                new StateOnly(this.database::state, this.probed::add),
                (database, contract, decision, enforced) -> this.decisions.add(decision),
                WriteListener.NONE);
        JdbcClient jdbc = JdbcClient.create(misled);
        TransactionTemplate readWrite = new TransactionTemplate(new JdbcTransactionManager(misled));
        List<ThrowingCallable> calls = List.of(
                () -> Where.read(jdbc, 1),
                () -> readWrite.execute(status -> Where.read(jdbc, 1)),
                () -> this.operations.read(FreshnessMode.AUTHORITATIVE_NOW, () -> Where.read(jdbc, 1)),
                () -> this.operations.read(
                        FreshnessMode.AUTHORITATIVE_NOW, () -> readWrite.execute(status -> Where.read(jdbc, 1))),
                () -> this.operations.read(FreshnessMode.READ_YOUR_WRITES, () -> Where.read(jdbc, 1)));
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call)
                    .isInstanceOf(WriterUnavailableException.class)
                    .hasMessageContaining("is in recovery");
        }
        assertThat(this.probed).containsOnly(-1);
    }

    @Test
    void aReplicaThatGivesNoConnectionIsLeftOut() {
        Where where = read(
                FreshnessMode.EVENTUAL,
                replicas -> List.of(
                        with(
                                replicas.get(0),
                                new DelegatingDataSource(replicas.get(0).dataSource()) {
                                    @Override
                                    public Connection getConnection() throws SQLException {
                                        throw new SQLException("exhausted", "08001");
                                    }
                                }),
                        replicas.get(1)));
        assertOnReplica(where);
        assertThat(this.decisions).extracting(RoutingDecision::replica).containsExactly(1);
    }
}
