/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.FreshnessVerdict;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.web.FreshnessTokenInterceptor;
import dev.freshness.web.HeaderTransport;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Writes at one service, read by the consumer of its message or by a service that it calls. */
@ReplicatedPostgresTest
class TokensForMessagesTests {

    private static Instance producer;

    private static Instance consumer;

    private static Instance caller;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        producer = Instance.on(postgres);
        consumer = Instance.on(postgres);
        caller = Instance.with(postgres, Caller.class);
    }

    @AfterAll
    static void stop() {
        producer.close();
        consumer.close();
        caller.close();
    }

    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        postgres.primary().execute("delete from item where id > 1; update item set name = 'old'");
        postgres.awaitCaughtUp();
        for (Instance instance : List.of(producer, consumer, caller)) {
            ReplicationBed.awaitEligibleReplicas(instance.database(), 2);
        }
        postgres.replicas().forEach(PostgresNode::pauseReplay);
    }

    private static FreshnessOperations operations(Instance instance) {
        return instance.context().getBean(FreshnessOperations.class);
    }

    private static Items items(Instance instance) {
        return instance.context().getBean(Items.class);
    }

    private static String written(String name) {
        return operations(producer).newSession(() -> {
            items(producer).write(1, name);
            return operations(producer).currentToken();
        });
    }

    private static Where consumed(List<String> tokens) {
        return operations(consumer).withTokens(tokens, () -> items(consumer).readYourWrites(1));
    }

    private static void assertSeen(Where where, String name) {
        assertThat(where.value()).isEqualTo(name);
        assertThat(where.inRecovery()).as("ran on a standby").isFalse();
    }

    private static void assertControl() {
        Where control = operations(consumer).newSession(() -> items(consumer).readYourWrites(1));
        assertThat(control.value()).isEqualTo("old");
        assertThat(control.inRecovery()).as("ran on a standby").isTrue();
    }

    @Test
    void aConsumerSeesWhatTheProducerWrote() {
        assertSeen(consumed(List.of(written("new"))), "new");
        assertControl();
    }

    @Test
    void theConsumerOfABatchSeesTheNewest(ReplicatedPostgres postgres) {
        String first = written("first");
        postgres.replicas().forEach(PostgresNode::resumeReplay);
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(consumer.database(), 2);
        postgres.replicas().forEach(PostgresNode::pauseReplay);
        String second = written("second");

        assertSeen(consumed(List.of(second, first)), "second");
        assertSeen(consumed(List.of(first, second)), "second");
        Where control = consumed(List.of(first));
        assertThat(control.value()).isEqualTo("first");
        assertThat(control.inRecovery()).as("ran on a standby").isTrue();
    }

    @Test
    void whoeverHasNoTokenOrABrokenOneAsksTheWriter() {
        String token = written("new");
        assertSeen(consumed(List.of()), "new");
        assertSeen(operations(consumer).withToken(null, () -> items(consumer).readYourWrites(1)), "new");
        assertSeen(consumed(List.of("not a token")), "new");
        assertSeen(consumed(List.of(token, "not a token")), "new");
        assertControl();
    }

    @Test
    void thereIsNoTokenBeforeTheCommit() {
        TransactionTemplate transactions =
                new TransactionTemplate(producer.context().getBean(PlatformTransactionManager.class));
        AtomicReference<String> afterCommit = new AtomicReference<>();
        operations(producer).newSession(() -> {
            transactions.executeWithoutResult(status -> {
                // Even before its first statement: what will be written is not known.
                assertThatIllegalStateException()
                        .isThrownBy(() -> operations(producer).currentToken())
                        .withMessageContaining("has not been committed");
                items(producer).write(1, "new");
                assertThatIllegalStateException()
                        .isThrownBy(() -> operations(producer).currentToken());
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        afterCommit.set(operations(producer).currentToken());
                    }
                });
            });
            TransactionTemplate reading = new TransactionTemplate(transactions.getTransactionManager());
            reading.setReadOnly(true);
            String inRead = reading.execute(status -> operations(producer).currentToken());
            assertSeen(consumed(List.of(Objects.requireNonNull(inRead))), "new");
            return null;
        });
        assertSeen(consumed(List.of(afterCommit.get())), "new");
        assertControl();
    }

    @Test
    void thereIsNoTokenWithoutASession() {
        assertThatIllegalStateException()
                .isThrownBy(() -> operations(producer).currentToken())
                .withMessageContaining("newSession");
    }

    /** A relay that reads what others committed: whatever it has seen is at or below the writer's position of then. */
    @Test
    void aRelaysTokenIncludesTheRowItHasRead() {
        items(producer).write(1, "outbox");
        String token = operations(consumer).newSession(() -> {
            assertThat(items(consumer).authoritative(1).value()).isEqualTo("outbox");
            operations(consumer).markWritten("default");
            return operations(consumer).currentToken();
        });

        assertSeen(consumed(List.of(token)), "outbox");
        assertControl();
    }

    @Test
    void theVerdictSaysWhereAReadWentAndWhy() {
        operations(producer).newSession(() -> {
            assertThat(operations(producer).verdict()).isNull();
            items(producer).eventual(1);
            FreshnessVerdict onReplica =
                    Objects.requireNonNull(operations(producer).verdict());
            assertThat(onReplica.node()).startsWith("replica-");
            assertThat(onReplica.mode()).isEqualTo(FreshnessMode.EVENTUAL);
            assertThat(onReplica.outcome()).isEqualTo("replica");
            assertThat(onReplica.reason()).isEqualTo("contract-met");
            assertThat(onReplica.observed()).isNotNull();
            assertThat(onReplica.observedAge()).isNotNull();
            assertThat(onReplica.stalenessBound()).isNotNull();

            items(producer).write(1, "new");
            items(producer).readYourWrites(1);
            FreshnessVerdict onWriter =
                    Objects.requireNonNull(operations(producer).verdict());
            assertThat(onWriter.node()).isEqualTo("writer");
            assertThat(onWriter.declaredBy()).isEqualTo("Items.readYourWrites");
            assertThat(onWriter.outcome()).isEqualTo("writer_fallback");
            assertThat(onWriter.reason()).isEqualTo("behind-floor");
            assertThat(onWriter.floorKnown()).isTrue();
            assertThat(Objects.requireNonNull(onWriter.floor())
                            .isOfSameHistory(Objects.requireNonNull(onReplica.observed())))
                    .isTrue();
            return null;
        });
        assertThat(operations(producer).verdict()).isNull();
    }

    @Test
    void aServiceThatIsCalledSeesWhatItsCallerWrote() {
        HttpResponse<String> response =
                WebClient.forgetful().get(caller, "/write-here-read-there?port=" + consumer.port());
        assertSeen(WebClient.where(response), "here");
        assertControl();
    }

    @Test
    void aServiceSeesWhatOneItHasCalledWroteAndTellsItsClient() {
        WebClient client = WebClient.withHeader();
        HttpResponse<String> response = client.get(caller, "/write-there-read-here?port=" + consumer.port());
        assertSeen(WebClient.where(response), "there");
        assertThat(response.headers().firstValue(HeaderTransport.HEADER)).isPresent();
        assertSeen(client.read(producer, "/items/1"), "there");
        assertControl();
    }

    @RestController
    static class Caller {

        private final Items items;

        private final RestClient services;

        Caller(Items items, FreshnessTokenInterceptor interceptor) {
            this.items = items;
            this.services = RestClient.builder().requestInterceptor(interceptor).build();
        }

        @GetMapping("/write-here-read-there")
        Where writeHereReadThere(@RequestParam int port) {
            this.items.write(1, "here");
            return Objects.requireNonNull(this.services
                    .get()
                    .uri("http://localhost:" + port + "/items/1")
                    .retrieve()
                    .body(Where.class));
        }

        @GetMapping("/write-there-read-here")
        Where writeThereReadHere(@RequestParam int port) {
            this.services
                    .put()
                    .uri("http://localhost:" + port + "/items/1")
                    .body("there")
                    .retrieve()
                    .toBodilessEntity();
            return this.items.readYourWrites(1);
        }
    }
}
