/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** One URL that leads to one standby and another in turn: what was observed of one of them says nothing of the other. */
@ReplicatedPostgresTest
@ExtendWith(OutputCaptureExtension.class)
class OneAddressForTwoStandbysTests {

    private static final String ENTRY = "freshness.replicas.behind-a-balancer";

    private static final int READS = 500;

    private static final int RENEWED_AFTER = 25;

    @Test
    void noReadIsStaleAndOneWarningNamesTheEntry(ReplicatedPostgres postgres, CapturedOutput output)
            throws IOException {
        PostgresNode paused = postgres.replica("replica-1");
        PostgresNode current = postgres.replica("replica-2");
        AtomicInteger connections = new AtomicInteger();
        // The first connection is the monitor's: the pool makes none before it is asked for one.
        try (TcpSwitch address =
                        new TcpSwitch(() -> (connections.getAndIncrement() % 2 == 0 ? current : paused).port());
                StartedApplication application = StartedApplication.on(
                        postgres,
                        "freshness.replicas.replica-1.url=",
                        "freshness.replicas.replica-2.url=",
                        ENTRY + ".url=" + address.through(current.jdbcUrl()),
                        ENTRY + ".hikari.minimum-idle=0")) {
            ReplicationBed.awaitEligibleReplicas(application.database(), 1);
            assertThat(observed(application).startedAtMicros()).isEqualTo(startedAt(current));
            paused.pauseReplay();

            FreshnessSession session = FreshnessSession.ofNewClient();
            int onCurrent = 0;
            for (int i = 0; i < READS; i++) {
                if (i % RENEWED_AFTER == 0) {
                    renewConnections(application);
                }
                try (ThreadScope request = ThreadScope.open(session)) {
                    application.items().write(1, "new " + i);
                    Where where = application.items().readYourWrites(1);
                    assertThat(where.value()).isEqualTo("new " + i);
                    assertThat(where.port()).isNotEqualTo(paused.port());
                    onCurrent += where.port() == current.port() ? 1 : 0;
                }
            }
            assertThat(onCurrent).as("reads on the current standby").isPositive();
            assertThat(connections)
                    .as("connections, every second to the other standby")
                    .hasValueGreaterThan(READS / RENEWED_AFTER);
            // The control: the paused standby was there all the time, with the old row.
            assertThat(paused.query("select name from item where id = 1")).isEqualTo("old");
        }
        assertThat(output.toString().lines().filter(line -> line.contains(ENTRY)))
                .singleElement()
                .asString()
                .contains("WARN");
    }

    /** As at the end of their life. */
    private static void renewConnections(StartedApplication application) {
        application.context().getBeansOfType(HikariDataSource.class).values().stream()
                .filter(pool -> ENTRY.endsWith("." + pool.getPoolName()) && pool.isRunning())
                .forEach(pool -> pool.getHikariPoolMXBean().softEvictConnections());
    }

    private static ServerIdentity observed(StartedApplication application) {
        return ((StandbyObservation)
                        application.database().state().replicas().get(0).observation())
                .identity();
    }

    private static long startedAt(PostgresNode node) {
        return Long.parseLong(node.query("select (extract(epoch from pg_postmaster_start_time()) * 1000000)::int8"));
    }
}
