/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.NodePool;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.routing.RoutingListener;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgresTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Commits are captured alike however the driver talks to the server. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class QueryModeTests extends ReplicationBed {

    @Autowired
    FreshnessRoutingDataSource routed;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "preferQueryMode=simple",
                "preferQueryMode=extended",
                "preferQueryMode=extendedForPrepared",
                "preferQueryMode=extendedCacheEverything",
                "autosave=always",
                "autosave=conservative",
                "defaultRowFetchSize=1",
                "prepareThreshold=0",
                "binaryTransfer=false"
            })
    void aCommitIsCaptured(String parameter) {
        try (HikariDataSource writer = new HikariDataSource()) {
            writer.setJdbcUrl(withParameter(this.primary.jdbcUrl(), parameter));
            writer.setUsername(this.primary.username());
            writer.setPassword(this.primary.password());
            writer.setMaximumPoolSize(1);
            FreshnessRoutingDataSource source = new FreshnessRoutingDataSource(
                    "default",
                    new NodePool("writer", writer),
                    this.routed.pools().subList(1, 3),
                    new StateOnly(this.database::state),
                    RoutingListener.NONE,
                    WriteListener.NONE);
            JdbcClient jdbc = JdbcClient.create(source);
            TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(source));
            FreshnessSession session = FreshnessSession.ofNewClient();
            try (ThreadScope request = ThreadScope.open(session)) {
                transactions.executeWithoutResult(status -> Where.read(jdbc, 1));
                assertThat(session.floor("default")).isSameAs(Floor.none());
                assertThatThrownBy(() -> transactions.executeWithoutResult(status ->
                                jdbc.sql("insert into item values (1, 'twice')").update()))
                        .isInstanceOf(DuplicateKeyException.class);
                assertThat(session.floor("default")).isSameAs(Floor.none());
                for (int i = 0; i < 10; i++) {
                    String name = parameter + i;
                    transactions.executeWithoutResult(status -> jdbc.sql("update item set name = ? where id = 1")
                            .param(name)
                            .update());
                    assertThat(session.floor("default")).isInstanceOf(Floor.At.class);
                    assertThat(this.primary.query("select name from item where id = 1"))
                            .isEqualTo(name);
                }
            }
        }
    }

    private static String withParameter(String url, String parameter) {
        return url + (url.contains("?") ? "&" : "?") + parameter;
    }
}
