/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicatedPostgresLifecycleTest {

    @Test
    void closedClusterLeavesNothingBehind() throws IOException {
        ReplicatedPostgres postgres = ReplicatedPostgres.start(1);
        PostgresNode replica = postgres.replica("replica-1");
        Path directory = directory(postgres);
        List<Long> pids = List.of(postgres.primary().pid(), replica.pid());
        List<Integer> ports = List.of(postgres.primary().port(), replica.port());
        assertThat(directory).isDirectory();
        assertThat(pids).allMatch(pid -> ProcessHandle.of(pid).isPresent());
        replica.freeze();

        postgres.close();
        postgres.close();

        assertThat(directory).doesNotExist();
        assertThat(pids).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
        for (int port : ports) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            }
        }
        assertThatThrownBy(postgres.primary()::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(postgres::reset).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void takesNamesDatabaseUserAndPassword() throws SQLException {
        try (ReplicatedPostgres postgres = ReplicatedPostgres.builder()
                .replicas("berlin")
                .database("shop")
                .username("admin")
                .password("it's \\ secret")
                .serverSetting("work_mem", "5MB")
                .serverSetting("fsync", "on")
                .start()) {
            PostgresNode berlin = postgres.replica("berlin");
            assertThat(postgres.replicas()).containsExactly(berlin);
            assertThat(berlin.query("SELECT current_database() || ' ' || current_user"))
                    .isEqualTo("shop admin");
            assertThat(berlin.query("SHOW work_mem")).isEqualTo("5MB");
            assertThat(berlin.query("SHOW fsync")).isEqualTo("on");
            assertThatThrownBy(() -> DriverManager.getConnection(berlin.jdbcUrl(), "admin", "wrong"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
            assertThat(postgres.properties())
                    .containsEntry("spring.datasource.url", postgres.primary().jdbcUrl())
                    .containsEntry("spring.datasource.username", "admin")
                    .containsEntry("spring.datasource.password", "it's \\ secret")
                    .containsEntry("freshness.replicas.berlin.url", berlin.jdbcUrl())
                    .hasSize(4);
            assertThat(postgres.toString()).contains(berlin.toString()).doesNotContain("secret");
        }
    }

    @Test
    void failedStartShowsTheServersOwnWords() {
        ReplicatedPostgres.Builder builder =
                ReplicatedPostgres.builder().replicas(0).serverSetting("max_connections", "many");
        assertThatThrownBy(builder::start)
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("primary did not start")
                .hasMessageContaining("invalid value for parameter \"max_connections\": \"many\"");
    }

    @Test
    void failedRestartBecauseOfATakenPortSaysSo() throws IOException {
        try (ReplicatedPostgres postgres = ReplicatedPostgres.start(0)) {
            PostgresNode primary = postgres.primary();
            primary.stop();
            try (ServerSocket thief = new ServerSocket()) {
                thief.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), primary.port()));
                assertThatThrownBy(primary::start)
                        .isInstanceOf(ServerStartException.class)
                        .hasMessageContaining("Address already in use");
            }
            primary.start();
            assertThat(primary.inRecovery()).isFalse();
        }
    }

    @Test
    void refusesNamesThatWouldBreakPathsOrProperties() {
        ReplicatedPostgres.Builder builder = ReplicatedPostgres.builder();
        for (String name : List.of("", "primary", "a b", "../x", "A", "-x")) {
            assertThatThrownBy(() -> builder.replicas(name)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> builder.replicas("a", "a")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.replicas(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.database("x\"y")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.serverSetting("port", "1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.serverSetting("a = b\nc", "1")).isInstanceOf(IllegalArgumentException.class);
    }

    private static Path directory(ReplicatedPostgres postgres) {
        Path data = Path.of(postgres.primary().query("SHOW data_directory"));
        assertThat(Files.exists(data)).isTrue();
        return data.getParent().getParent();
    }
}
