/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.NodePool;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.routing.RoutingListener;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** A statement prepared once and committed many times costs as many round trips as on the pool itself. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class PreparedLoopTests extends ReplicationBed {

    /** Enough for the driver to prepare the statement on the server. */
    private static final int WARM_UP = 10;

    private static final int TRANSACTIONS = 1000;

    @Autowired
    FreshnessRoutingDataSource routed;

    @ParameterizedTest
    @ValueSource(strings = {"extended", "simple"})
    void aCommitCostsNoFurtherRoundTrip(String queryMode) throws SQLException {
        try (HikariDataSource writer = new HikariDataSource()) {
            writer.setJdbcUrl(this.primary.jdbcUrl());
            writer.setUsername(this.primary.username());
            writer.setPassword(this.primary.password());
            writer.addDataSourceProperty("preferQueryMode", queryMode);
            writer.addDataSourceProperty("socketFactory", CountingSockets.class.getName());
            writer.setMaximumPoolSize(1);
            FreshnessRoutingDataSource source = new FreshnessRoutingDataSource(
                    "default",
                    new NodePool("writer", writer),
                    this.routed.pools().subList(1, 3),
                    new StateOnly(this.database::state),
                    RoutingListener.NONE,
                    WriteListener.NONE);
            int onPool = roundTrips(writer);
            assertThat(onPool).isEqualTo(2 * TRANSACTIONS);
            assertThat(roundTrips(source)).isEqualTo(onPool);
            FreshnessSession session = FreshnessSession.ofNewClient();
            try (ThreadScope request = ThreadScope.open(session)) {
                assertThat(roundTrips(source)).isEqualTo(onPool);
            }
            assertThat(session.floor("default")).isInstanceOf(Floor.At.class);
        }
    }

    private static int roundTrips(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement update = connection.prepareStatement("update item set name = ? where id = 1")) {
                for (int i = 0; i < WARM_UP; i++) {
                    change(connection, update, i);
                }
                int before = CountingSockets.roundTrips();
                for (int i = 0; i < TRANSACTIONS; i++) {
                    change(connection, update, i);
                }
                return CountingSockets.roundTrips() - before;
            }
        }
    }

    private static void change(Connection connection, PreparedStatement update, int i) throws SQLException {
        update.setString(1, "n" + i);
        update.executeUpdate();
        connection.commit();
    }
}
