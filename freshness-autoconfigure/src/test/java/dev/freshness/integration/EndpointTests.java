/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.OnUnmet;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.actuate.ContractReport;
import dev.freshness.actuate.DecisionReport;
import dev.freshness.actuate.FreshnessEndpoint;
import dev.freshness.actuate.NodeReport;
import dev.freshness.test.ReplicatedPostgresTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator asks of a running application, and does to it. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            ReplicatedApplication.WITHOUT_JPA,
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.health.show-details=always",
            "management.endpoint.freshness.access=unrestricted",
            "freshness.decisions.keep=50",
            "freshness.contracts.Prices.ofToday.mode=authoritative-now",
            "freshness.contracts.Prices.of-yesterday.max-staleness=7s",
            "freshness.contracts[dev.freshness.integration.EndpointTests$Prices][byId].on-unmet=reject"
        })
@Import(EndpointTests.Beans.class)
class EndpointTests extends ReplicationBed {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Autowired
    FreshnessEndpoint endpoint;

    @Autowired
    HealthIndicator freshnessHealthIndicator;

    @Autowired
    FreshnessOperations operations;

    @Autowired
    PlatformTransactionManager transactions;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    Prices prices;

    @Autowired
    DataSource dataSource;

    @Autowired
    @Qualifier("freshnessWriterPool")
    HikariDataSource writerPool;

    @LocalServerPort
    int port;

    @AfterEach
    void back() {
        MDC.clear();
        this.endpoint.putBack("default", "replica-1");
        this.endpoint.putBack("default", "replica-2");
    }

    private NodeReport node(String name) {
        return this.endpoint.freshness().databases().get("default").nodes().get(name);
    }

    private void takeOut(String replica) {
        this.endpoint.takeOut("default", replica, "upgrade", null);
    }

    @Test
    void aReplicaThatIsTakenOutServesNobodyUntilItIsBack() {
        takeOut("replica-1");
        for (int i = 0; i < 50; i++) {
            assertThat(request(() -> this.items.eventual(1)).port()).isEqualTo(port("replica-2"));
            assertThat(request(() -> this.items.eventualWithoutTransaction(1)).port())
                    .isEqualTo(port("replica-2"));
        }
        assertThat(this.borrows.of("replica-1")).isZero();
        this.endpoint.putBack("default", "replica-1");
        await().atMost(DEADLINE).until(() -> {
            request(() -> this.items.eventual(1));
            return this.borrows.of("replica-1") > 0;
        });
    }

    private int port(String replica) {
        return this.postgres.replica(replica).port();
    }

    @Test
    void withEveryReplicaTakenOutReadsFallBackOrAreRefusedAndSayWhy() {
        takeOut("replica-1");
        takeOut("replica-2");
        assertOnWriter(request(() -> this.items.eventual(1)));
        assertThat(decisions().get(0).reason()).isEqualTo("taken-out");
        assertThat(decisions().get(0).outcome()).isEqualTo("writer_fallback");
        assertThatThrownBy(() -> request(() -> this.operations.read(
                        this.operations.contract(FreshnessMode.EVENTUAL).withOnUnmet(OnUnmet.REJECT),
                        () -> Where.read(this.jdbc, 1))))
                .isInstanceOf(StaleReadNotAllowedException.class)
                .hasMessageContaining("taken-out");
        // An operator's word counts more than a contract that takes what there is.
        assertOnWriter(request(() -> this.operations.read(
                this.operations.contract(FreshnessMode.EVENTUAL).withOnUnmet(OnUnmet.STALE),
                () -> Where.read(this.jdbc, 1))));
    }

    @Test
    void whatRunsOnAReplicaThatIsTakenOutGoesOn() {
        TransactionTemplate template = new TransactionTemplate(this.transactions);
        template.setReadOnly(true);
        takeOut("replica-2");
        request(() -> this.operations.read(
                this.operations.contract(FreshnessMode.EVENTUAL),
                () -> template.execute(status -> {
                    assertOnReplica(Where.read(this.jdbc, 1));
                    takeOut("replica-1");
                    Where second = Where.read(this.jdbc, 1);
                    assertOnReplica(second);
                    // What joins does not make a transaction move, nor fail.
                    assertOnReplica(this.items.eventual(1));
                    return second;
                })));
    }

    @Test
    void aScopeWithoutTransactionLeavesAReplicaThatIsTakenOut() {
        takeOut("replica-2");
        request(() -> this.operations.read(this.operations.contract(FreshnessMode.EVENTUAL), () -> {
            assertOnReplica(Where.read(this.jdbc, 1));
            takeOut("replica-1");
            assertOnWriter(Where.read(this.jdbc, 1));
            return 0;
        }));
    }

    @Test
    void aStatementThatWasMadeBeforeIsNotExecutedThere() {
        takeOut("replica-2");
        request(() -> this.operations.read(this.operations.contract(FreshnessMode.EVENTUAL), () -> {
            try (Connection connection = this.dataSource.getConnection();
                    PreparedStatement made = connection.prepareStatement("select pg_is_in_recovery()")) {
                takeOut("replica-1");
                assertThatThrownBy(made::executeQuery)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("replica-1")
                        .hasMessageContaining("writer");
            } catch (SQLException ex) {
                throw new AssertionError(ex);
            }
            return 0;
        }));
    }

    @Test
    void itComesBackByItselfWhenItsTimeIsOver() {
        this.endpoint.takeOut("default", "replica-2", "for good", Duration.ofDays(30));
        this.endpoint.takeOut("default", "replica-1", "a moment", Duration.ofSeconds(1));
        assertOnWriter(request(() -> this.items.eventual(1)));
        await().atMost(DEADLINE).untilAsserted(() -> assertOnReplica(request(() -> this.items.eventual(1))));
        assertThat(node("replica-1").takenOut()).isNull();
        assertThat(node("replica-1").eligible()).isTrue();
    }

    @Test
    void theReportSaysWhyAndUntilWhenAndHealthIsDegradedButUp() {
        this.endpoint.takeOut("default", "replica-1", " line\r\nbreak ", Duration.ofMinutes(10));
        NodeReport node = node("replica-1");
        assertThat(node.eligible()).isFalse();
        assertThat(node.reason()).isEqualTo("taken-out");
        assertThat(node.takenOut().reason()).isEqualTo("line  break");
        assertThat(node.takenOut().until())
                .isBetween(Instant.now().plusSeconds(500), Instant.now().plusSeconds(601));
        assertThat(node("replica-2").eligible()).isTrue();
        assertThat(node("replica-2").takenOut()).isNull();
        assertThat(this.freshnessHealthIndicator.health().getDetails()).containsEntry("degraded", true);
        assertThat(this.freshnessHealthIndicator.health().getStatus().getCode()).isEqualTo("UP");
    }

    @Test
    void overHttpAReplicaIsTakenOutAndPutBack() {
        assertThat(http("POST", "/default/replica-1", "{\"reason\":\"upgrade\",\"duration\":\"10m\"}")
                        .statusCode())
                .isEqualTo(200);
        JsonNode taken = json("").get("databases").get("default").get("nodes").get("replica-1");
        assertThat(taken.get("takenOut").get("reason").asString()).isEqualTo("upgrade");
        assertThat(taken.get("reason").asString()).isEqualTo("taken-out");
        assertThat(http("DELETE", "/default/replica-1", "").statusCode()).isEqualTo(200);
        assertThat(json("").get("databases")
                        .get("default")
                        .get("nodes")
                        .get("replica-1")
                        .has("takenOut"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"reason\":\"upgrade\",\"duration\":\"0s\"}",
                "{\"reason\":\"upgrade\",\"duration\":\"31d\"}",
                "{\"reason\":\"upgrade\",\"duration\":\"soon\"}",
                "{\"reason\":\"  \"}",
                "{\"duration\":\"10m\"}"
            })
    void overHttpWhatMakesNoSenseIsRefused(String body) {
        assertThat(http("POST", "/default/replica-1", body).statusCode()).isEqualTo(400);
        assertThat(node("replica-1").takenOut()).isNull();
    }

    @Test
    void overHttpWhatIsNotThereIsNotFound() {
        assertThat(http("POST", "/default/writer", "{\"reason\":\"upgrade\"}").statusCode())
                .isEqualTo(400);
        assertThatThrownBy(() -> takeOut("writer"))
                .hasMessageContaining("no such replica; there are [replica-1, replica-2]");
        assertThat(http("POST", "/other/replica-1", "{\"reason\":\"upgrade\"}").statusCode())
                .isEqualTo(400);
        assertThat(http("DELETE", "/default/replica-7", "").statusCode()).isEqualTo(400);
        assertThat(http("GET", "/nothing", "").statusCode()).isEqualTo(404);
        assertThat(http("GET", "/contracts/x", "").statusCode()).isEqualTo(404);
    }

    @Test
    void nodesAreShownWithWhereTheyAreAndHowFullTheirPoolsAreAndWithoutCredentials() throws Exception {
        JsonNode nodes = json("").get("databases").get("default").get("nodes");
        assertThat(nodes.get("replica-1").get("address").asString())
                .isEqualTo("jdbc:postgresql://127.0.0.1:" + port("replica-1") + "/postgres");
        JsonNode pool = nodes.get("replica-1").get("pool");
        assertThat(pool.get("name").asString()).isEqualTo("replica-1");
        assertThat(pool.get("max").asInt()).isPositive();
        try (var held = this.writerPool.getConnection()) {
            assertThat(held.isValid(1)).isTrue();
            assertThat(node("writer").pool().active()).isOne();
        }
        assertThat(node("writer").pool().active()).isZero();
        String health = get("/actuator/health");
        assertThat(health).contains("\"pool\"", "\"active\"").doesNotContain("jdbc:");
        String all = get("/actuator/freshness")
                + get("/actuator/freshness/contracts")
                + get("/actuator/freshness/decisions")
                + get("/actuator/freshness/report")
                + health;
        assertThat(all).doesNotContain("password").doesNotContain("user=").doesNotContain("s3cret");
    }

    @Test
    void theContractsOfTheApplicationAreListed() {
        List<ContractReport> contracts =
                ((FreshnessEndpoint.ContractsDescriptor) this.endpoint.section("contracts")).contracts();
        assertThat(contracts.stream().map(ContractReport::method))
                .contains("dev.freshness.integration.Items.eventual", "dev.freshness.integration.Items.authoritative")
                .isSorted()
                .doesNotHaveDuplicates();
        ContractReport eventual = contract(contracts, "Items.eventual");
        assertThat(eventual.mode()).isEqualTo(FreshnessMode.EVENTUAL);
        assertThat(eventual.maxStaleness()).isEqualTo(Duration.ofSeconds(30));
        assertThat(eventual.waitBudget()).isNull();
        assertThat(eventual.overridden()).isFalse();
        assertThat(contract(contracts, "Items.authoritative").maxStaleness()).isNull();
        assertThat(contract(contracts, "Items.readYourWrites").waitBudget()).isEqualTo(Duration.ofMillis(50));
    }

    private static ContractReport contract(List<ContractReport> contracts, String method) {
        return contracts.stream()
                .filter(contract -> contract.method().endsWith(method))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void propertiesChangeTheContractOfAMethod() {
        assertOnWriter(request(() -> this.prices.ofToday()));
        assertOnReplica(request(() -> this.prices.ofYesterday()));
        List<ContractReport> contracts =
                ((FreshnessEndpoint.ContractsDescriptor) this.endpoint.section("contracts")).contracts();
        assertThat(contract(contracts, "Prices.ofToday").mode()).isEqualTo(FreshnessMode.AUTHORITATIVE_NOW);
        assertThat(contract(contracts, "Prices.ofToday").overridden()).isTrue();
        assertThat(contract(contracts, "Prices.ofYesterday").maxStaleness()).isEqualTo(Duration.ofSeconds(7));
        assertThat(contract(contracts, "Prices.ofYesterday").mode()).isEqualTo(FreshnessMode.EVENTUAL);
        assertThat(contract(contracts, "Prices.byId").onUnmet()).isEqualTo(OnUnmet.REJECT);
    }

    private List<DecisionReport> decisions() {
        return ((FreshnessEndpoint.DecisionsDescriptor) this.endpoint.section("decisions")).decisions();
    }

    @Test
    void aRequestIsExplainedByItsId() {
        MDC.put("requestId", "r-1");
        request(() -> this.items.eventual(1));
        MDC.put("requestId", "r-2");
        pauseReplicas();
        request(() -> {
            this.items.write(1, "new");
            return this.items.readYourWrites(1);
        });
        MDC.remove("requestId");
        request(() -> this.items.eventual(1));
        List<DecisionReport> explained = explain("r-2");
        assertThat(explained).hasSize(1);
        DecisionReport decision = explained.get(0);
        assertThat(decision.contract()).isEqualTo("Items.readYourWrites");
        assertThat(decision.node()).isEqualTo("writer");
        assertThat(decision.outcome()).isEqualTo("writer_fallback");
        assertThat(decision.reason()).isEqualTo("behind-floor");
        assertThat(decision.met()).isTrue();
        assertThat(decision.required()).matches("[0-9A-F]+/[0-9A-F]+");
        assertThat(decision.observed()).matches("[0-9A-F]+/[0-9A-F]+");
        assertThat(decision.observedAge()).isPositive();
        assertThat(decision.ids()).isEqualTo(Map.of("requestId", "r-2"));
        assertThat(explain("r-1")).singleElement().satisfies(one -> {
            assertThat(one.outcome()).isEqualTo("replica");
            assertThat(one.required()).isNull();
            assertThat(one.stalenessBound()).isNotNull();
        });
        assertThat(explain("r-3")).isEmpty();
        assertThat(json("/decisions/r-2").get("decisions")).hasSize(1);
    }

    private List<DecisionReport> explain(String id) {
        return ((FreshnessEndpoint.DecisionsDescriptor) this.endpoint.explain("decisions", id)).decisions();
    }

    @Test
    void noMoreDecisionsAreKeptThanAskedForAndOfAnIdNoMoreThanAPart() {
        String longId = "x".repeat(10_000);
        MDC.put("traceId", longId);
        for (int i = 0; i < 120; i++) {
            request(() -> this.items.eventual(1));
        }
        assertThat(decisions()).hasSize(50);
        assertThat(decisions().get(0).ids().get("traceId")).hasSize(64);
        assertThat(explain(longId)).hasSize(50);
        assertThat(decisions()).isSortedAccordingTo((a, b) -> b.at().compareTo(a.at()));
    }

    private JsonNode json(String path) {
        return JsonMapper.shared().readTree(get("/actuator/freshness" + path));
    }

    private String get(String path) {
        return send(HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path))
                        .build())
                .body();
    }

    private HttpResponse<String> http(String method, String path, String body) {
        return send(HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + "/actuator/freshness" + path))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    /** Contracts that properties change. */
    static class Prices {

        private final JdbcClient jdbc;

        Prices(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @Freshness(FreshnessMode.EVENTUAL)
        Where ofToday() {
            return Where.read(this.jdbc, 1);
        }

        @Freshness(FreshnessMode.EVENTUAL)
        Where ofYesterday() {
            return Where.read(this.jdbc, 1);
        }

        @Freshness(FreshnessMode.EVENTUAL)
        Where byId() {
            return Where.read(this.jdbc, 1);
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Prices prices(JdbcClient jdbc) {
            return new Prices(jdbc);
        }
    }
}
