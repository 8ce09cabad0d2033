/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.NodePool;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.routing.ReplicaChoice;
import dev.freshness.routing.Rollout;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingSettings;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Which replica reads run on when several would do. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class ChosenReplicaTests extends ReplicationBed {

    private static final int READS = 20;

    /** The first replica is of the application's zone: reads go there while they can. */
    private static final RoutingSettings FIRST_IS_NEAR = new RoutingSettings(
            new ReplicaChoice(ReplicaChoice.Strategy.LEAST_LOADED, List.of(), 0b01), Duration.ofMinutes(10));

    @Autowired
    FreshnessRoutingDataSource routed;

    @Autowired
    FreshnessOperations operations;

    private final List<RoutingDecision> decisions = new CopyOnWriteArrayList<>();

    private final List<Integer> probed = new CopyOnWriteArrayList<>();

    private final List<HikariDataSource> small = new ArrayList<>();

    private JdbcClient jdbc;

    private TransactionTemplate readOnly;

    /** The application's own observations, and replicas' pools of one connection each. */
    @BeforeEach
    void smallPools() throws SQLException {
        List<NodePool> replicas = new ArrayList<>();
        for (NodePool pool : this.routed.pools().subList(1, 3)) {
            HikariConfig config = new HikariConfig();
            pool.dataSource().unwrap(HikariDataSource.class).copyStateTo(config);
            config.setMaximumPoolSize(1);
            config.setMinimumIdle(0);
            config.setPoolName("small-" + pool.name());
            config.setConnectionTimeout(DEADLINE.toMillis());
            HikariDataSource one = new HikariDataSource(config);
            this.small.add(one);
            replicas.add(new NodePool(pool.name(), one));
        }
        FreshnessRoutingDataSource changed = new FreshnessRoutingDataSource(
                "default",
                this.routed.pools().get(0),
                replicas,
                new StateOnly(this.database::state, this.probed::add),
                FIRST_IS_NEAR,
                Rollout.full(),
                (database, contract, decision, enforced) -> this.decisions.add(decision),
                WriteListener.NONE);
        this.jdbc = JdbcClient.create(changed);
        this.readOnly = new TransactionTemplate(new JdbcTransactionManager(changed));
        this.readOnly.setReadOnly(true);
    }

    @AfterEach
    void closePools() {
        resumeReplicas();
        this.small.forEach(HikariDataSource::close);
    }

    private Where read() {
        return request(() -> this.operations.read(FreshnessMode.EVENTUAL, () -> Where.read(this.jdbc, 1)));
    }

    /** A transaction that holds its connection while something else goes on. */
    private <T> T holding(Supplier<T> meanwhile) {
        return request(() -> this.operations.read(
                FreshnessMode.EVENTUAL,
                () -> this.readOnly.execute(status -> {
                    assertOnReplica(Where.read(this.jdbc, 1));
                    return elsewhere(meanwhile).join();
                })));
    }

    /** On another thread, so that nothing of this one's transaction is joined. */
    private static <T> CompletableFuture<T> elsewhere(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task).start())
                .orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aFullReplicaIsLeftForAnotherBeforeAnybodyWaits() {
        assertThat(read().port()).isEqualTo(replica(0).port());
        this.decisions.clear();
        holding(() -> {
            for (int i = 0; i < READS; i++) {
                Where where = read();
                assertOnReplica(where);
                assertThat(where.port()).isEqualTo(replica(1).port());
            }
            return null;
        });
        assertThat(this.decisions).extracting(RoutingDecision::replica).hasSize(READS + 1);
        assertThat(this.decisions.get(0).replica()).isZero();
        assertThat(this.decisions.subList(1, READS + 1))
                .extracting(RoutingDecision::replica)
                .containsOnly(1);
        assertThat(this.probed).as("borrows in vain").isEmpty();
        assertThat(read().port())
                .as("once it is free again")
                .isEqualTo(replica(0).port());
    }

    @Test
    void fullReplicasAreWaitedForBeforeTheWriterIsAsked() {
        CompletableFuture<Where> waiting = holding(() -> holding(() -> {
            CompletableFuture<Where> third = elsewhere(this::read);
            await().atMost(DEADLINE)
                    .until(() -> this.small.stream()
                                    .mapToInt(pool -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection())
                                    .sum()
                            == 1);
            return third;
        }));
        assertOnReplica(waiting.join());
        assertThat(this.decisions).extracting(RoutingDecision::isReplica).containsExactly(true, true, true);
    }

    /** The one fresh node is left to the reads that need it. */
    @Test
    void readsThatTolerateLagGoToTheReplicaThatFreshReadsCannotUse() {
        PostgresNode paused = replica(1);
        paused.pauseReplay();
        this.items.write(1, "new");
        await().atMost(DEADLINE).until(() -> this.database.state().laggingReplicas() == 0b10);
        request(() -> {
            this.items.write(2, "mine");
            awaitEligibleReplicas(1);
            for (int i = 0; i < READS; i++) {
                Where eventual = this.items.eventual(1);
                assertOnReplica(eventual);
                assertThat(eventual.port()).isEqualTo(paused.port());
                assertThat(eventual.value()).as("control").isEqualTo("old");
                Where own = this.items.readYourWrites(2);
                assertOnReplica(own);
                assertThat(own.port()).isEqualTo(replica(0).port());
                assertThat(own.value()).isEqualTo("mine");
            }
            return null;
        });
        resumeReplicas();
        await().atMost(DEADLINE).until(() -> this.database.state().laggingReplicas() == 0);
        awaitEligibleReplicas(2);
    }

    private PostgresNode replica(int index) {
        return this.postgres.replicas().get(index);
    }
}
