/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Requests over HTTP to a real server, with replicas that stand still. */
abstract class OpenInView extends ReplicationBed {

    static final String STATISTICS = "spring.jpa.properties.hibernate.generate_statistics=true";

    @TestConfiguration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Shelves shelves(EntityManagerFactory factory) {
            return new Shelves(SharedEntityManagerCreator.createSharedEntityManager(factory));
        }

        @Bean
        Script script() {
            return new Script();
        }
    }

    /** What the next request does, in the place of a controller and its view. */
    @RestController
    static class Script {

        private final AtomicReference<Callable<String>> script = new AtomicReference<>(() -> "");

        @GetMapping("/script")
        String run() throws Exception {
            return this.script.get().call();
        }
    }

    @Autowired
    Shelves shelves;

    @Autowired
    Script script;

    @Autowired
    EntityManagerFactory factory;

    @Autowired
    FreshnessRoutingDataSource dataSource;

    @LocalServerPort
    int port;

    @BeforeEach
    void shelf() {
        this.primary.execute("create table if not exists shelf (id int primary key, name text, note text)");
        this.primary.execute("create table if not exists shelf_books (shelf_id int, books text)");
        this.primary.execute("truncate shelf, shelf_books");
        this.primary.execute("insert into shelf values (1, 'old', 'old')");
        this.primary.execute("insert into shelf_books values (1, 'first')");
        this.postgres.awaitCaughtUp();
        awaitEligibleReplicas(2);
        pauseReplicas();
        this.shelves.inRecovery();
        statistics().clear();
    }

    /** Whatever a request did, it left no session, no connection and nothing open. */
    @AfterEach
    void nothingIsLeft() {
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(statistics().getSessionCloseCount())
                        .isEqualTo(statistics().getSessionOpenCount()));
        await().atMost(DEADLINE).untilAsserted(() -> assertThat(active()).isZero());
    }

    Statistics statistics() {
        return this.factory.unwrap(SessionFactory.class).getStatistics();
    }

    int active() {
        return this.dataSource.pools().stream()
                .map(pool -> ((HikariDataSource) pool.dataSource()).getHikariPoolMXBean())
                .mapToInt(pool -> pool == null ? 0 : pool.getActiveConnections())
                .sum();
    }

    /** Runs a script as one web request. */
    String get(Callable<String> work) throws IOException, InterruptedException {
        this.script.script.set(work);
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + "/script"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }
}
