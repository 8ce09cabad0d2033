/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.FailedObservation;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Trouble of a node is logged once when it begins and once when it ends. */
@ReplicatedPostgresTest
@ExtendWith(OutputCaptureExtension.class)
class NodeLogTests {

    private static final ServerIdentity SERVER = new ServerIdentity(1, 2);

    private static final NodeObservation PRIMARY = new PrimaryObservation(0, SERVER, 1, Lsn.ZERO, Lsn.ZERO, 0);

    private static final NodeObservation STANDBY = new StandbyObservation(0, SERVER, 1, Lsn.ZERO, Lsn.ZERO, true);

    private static final NodeObservation FAILED = new FailedObservation(0, "08001", "refused");

    private static void observe(NodeLog log, NodeObservation... observations) {
        for (NodeObservation observation : observations) {
            log.observed(observation);
        }
    }

    private static List<String> lines(CapturedOutput output) {
        return output.toString()
                .lines()
                .filter(line -> line.contains(" -- ") || line.contains(LsnMonitor.class.getName()))
                .filter(line -> line.contains("WARN") || line.contains("INFO"))
                .toList();
    }

    @Test
    void aReplicaThatIsAPrimaryIsSaidOnceAndItsEndToo(CapturedOutput output) {
        observe(new NodeLog("default", "replica-1", true), PRIMARY, PRIMARY, FAILED, FAILED, PRIMARY, STANDBY, STANDBY);
        assertThat(lines(output)).hasSize(4);
        assertThat(lines(output).get(0))
                .contains("WARN")
                .contains(
                        "freshness.replicas.replica-1 of database default is a primary, not a standby: no reads go there");
        assertThat(lines(output).get(1)).contains("WARN").contains("cannot be observed [08001]: refused");
        assertThat(lines(output).get(2)).contains("INFO").contains("can be observed again");
        assertThat(lines(output).get(3))
                .contains("INFO")
                .contains("freshness.replicas.replica-1")
                .contains("a standby now");
    }

    @Test
    void aWriterThatIsAPrimaryAndAReplicaThatIsAStandbyAreNoNews(CapturedOutput output) {
        observe(new NodeLog("default", "writer", false), PRIMARY, STANDBY, PRIMARY);
        observe(new NodeLog("default", "replica-1", true), STANDBY, STANDBY);
        assertThat(lines(output)).isEmpty();
    }

    @Test
    void theMonitorSaysThatAReplicasUrlLeadsToThePrimary(ReplicatedPostgres postgres, CapturedOutput output) {
        LsnMonitor monitor = new LsnMonitor(
                "default",
                node("writer", postgres.primary()),
                List.of(node("replica-1", postgres.primary())),
                new MonitorSettings(Duration.ofMillis(10), Duration.ofSeconds(5), Duration.ofSeconds(10)),
                (database, node, observation, nanos) -> {});
        monitor.start();
        try {
            await().atMost(Duration.ofSeconds(30)).until(() -> !lines(output).isEmpty());
        } finally {
            monitor.stop();
        }
        assertThat(lines(output)).singleElement().asString().contains("freshness.replicas.replica-1");
    }

    private static MonitoredNode node(String name, PostgresNode node) {
        return new MonitoredNode(name, node.jdbcUrl(), node.username(), node.password(), new Properties());
    }
}
