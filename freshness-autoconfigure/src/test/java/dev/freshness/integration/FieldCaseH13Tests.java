/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.FreshnessOperations;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** A request writes, and another thread reads on its behalf, or the other way round. */
@ReplicatedPostgresTest
class FieldCaseH13Tests {

    private static StartedApplication application;

    private final ExecutorService bare = Executors.newSingleThreadExecutor();

    private ReplicatedPostgres postgres;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        application = started(postgres, AsyncApplication.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static StartedApplication started(ReplicatedPostgres postgres, Class<?> configuration, String... more) {
        postgres.reset();
        postgres.primary().execute("create table if not exists item (id int primary key, name text)");
        postgres.primary().execute("insert into item values (1, 'old') on conflict (id) do update set name = 'old'");
        Map<String, Object> all = new HashMap<>(postgres.properties());
        Stream.concat(Stream.of(ReplicatedApplication.WITHOUT_JPA), Stream.of(more))
                .map(property -> property.split("=", 2))
                .forEach(property -> all.put(property[0], property[1]));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        ReplicatedApplication.class, configuration)
                .web(WebApplicationType.NONE)
                .properties(all)
                .run();
        return new StartedApplication(context);
    }

    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        this.postgres = postgres;
        postgres.primary().execute("insert into item values (1, 'old') on conflict (id) do update set name = 'old'");
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(application.database(), 2);
        postgres.replicas().forEach(PostgresNode::pauseReplay);
    }

    @AfterEach
    void stopBare() {
        this.bare.shutdownNow();
    }

    private static Where readYourWrites() {
        return application.items().readYourWrites(1);
    }

    /** Writes in a request, has another thread read, and says whether it goes on to replicas once they have the write. */
    private void assertSeen(Supplier<Where> otherThread, boolean carried) {
        assertSeen(application, otherThread, carried);
    }

    private void assertSeen(StartedApplication at, Supplier<Where> otherThread, boolean carried) {
        ReplicationBed.request(() -> {
            at.items().write(1, "new");
            Where where = otherThread.get();
            assertThat(where.value()).isEqualTo("new");
            assertThat(where.inRecovery()).as("ran on a standby").isFalse();
            Where control = at.items().eventual(1);
            assertThat(control.value()).isEqualTo("old");
            assertThat(control.inRecovery()).as("ran on a standby").isTrue();

            this.postgres.replicas().forEach(PostgresNode::resumeReplay);
            this.postgres.awaitCaughtUp();
            ReplicationBed.awaitEligibleReplicas(at.database(), 2);
            Where after = otherThread.get();
            assertThat(after.value()).isEqualTo("new");
            assertThat(after.inRecovery()).as("ran on a standby").isEqualTo(carried);
            return null;
        });
    }

    @Test
    void theExecutorThatBootConfiguresHasTheFloor() {
        assertSeen(
                () -> application
                        .context()
                        .getBean(AsyncItems.class)
                        .readYourWrites(1)
                        .join(),
                true);
    }

    @Test
    void aBareExecutorKnowsNothingAndAsksTheWriter() {
        assertSeen(
                () -> CompletableFuture.supplyAsync(FieldCaseH13Tests::readYourWrites, this.bare)
                        .join(),
                false);
    }

    @Test
    void aBareExecutorHasTheFloorOfWrappedWork() {
        assertSeen(
                () -> {
                    FreshnessOperations operations = application.operations();
                    return CompletableFuture.supplyAsync(
                                    operations.wrapSupplier(FieldCaseH13Tests::readYourWrites), this.bare)
                            .join();
                },
                true);
    }

    @Test
    void virtualThreadsHaveTheFloor(ReplicatedPostgres postgres) {
        assumeThat(Runtime.version().feature())
                .as("virtual threads need Java 21")
                .isGreaterThanOrEqualTo(21);
        try (StartedApplication virtual =
                started(postgres, AsyncApplication.class, "spring.threads.virtual.enabled=true")) {
            postgres.awaitCaughtUp();
            ReplicationBed.awaitEligibleReplicas(virtual.database(), 2);
            postgres.replicas().forEach(PostgresNode::pauseReplay);
            assertSeen(
                    virtual,
                    () -> virtual.context()
                            .getBean(AsyncItems.class)
                            .readYourWrites(1)
                            .join(),
                    true);
        }
    }

    @Test
    void aParallelStreamKnowsNothingAndAsksTheWriter() {
        ReplicationBed.request(() -> {
            application.items().write(1, "new");
            Thread caller = Thread.currentThread();
            List<Where> elsewhere = new CopyOnWriteArrayList<>();
            IntStream.range(0, 100).parallel().forEach(i -> {
                if (Thread.currentThread() != caller) {
                    elsewhere.add(readYourWrites());
                } else {
                    // Leaves some of the work to others.
                    await().atMost(ReplicationBed.DEADLINE).until(() -> !elsewhere.isEmpty());
                }
            });
            assertThat(elsewhere).isNotEmpty();
            assertThat(elsewhere).allSatisfy(where -> {
                assertThat(where.value()).isEqualTo("new");
                assertThat(where.inRecovery()).as("ran on a standby").isFalse();
            });
            return null;
        });
    }

    @Test
    void aSnapshotOfTheContextHasTheFloor() {
        assertSeen(
                () -> {
                    var snapshot = ContextSnapshotFactory.builder().build().captureAll();
                    return CompletableFuture.supplyAsync(
                                    () -> {
                                        try (var scope = snapshot.setThreadLocals()) {
                                            return readYourWrites();
                                        }
                                    },
                                    this.bare)
                            .join();
                },
                true);
        assertThat(CompletableFuture.supplyAsync(ThreadScope::current, this.bare)
                        .join())
                .isNull();
    }

    @Test
    void toCarryTheSessionTwiceIsNoDifference(ReplicatedPostgres postgres) {
        postgres.replicas().forEach(PostgresNode::resumeReplay);
        try (StartedApplication twice = started(postgres, PropagatesContext.class)) {
            postgres.awaitCaughtUp();
            ReplicationBed.awaitEligibleReplicas(twice.database(), 2);
            postgres.replicas().forEach(PostgresNode::pauseReplay);
            assertSeen(
                    twice,
                    () -> twice.context()
                            .getBean(AsyncItems.class)
                            .readYourWrites(1)
                            .join(),
                    true);
        }
    }

    @Test
    void theParentSeesWhatItsChildWroteOnceItHasJoined() {
        for (Supplier<CompletableFuture<Void>> child : List.<Supplier<CompletableFuture<Void>>>of(
                () -> application.context().getBean(AsyncItems.class).write(1, "child"),
                () -> CompletableFuture.runAsync(
                        application.operations().wrap((Runnable)
                                () -> application.items().write(1, "child")),
                        this.bare))) {
            application.items().write(1, "before");
            ReplicationBed.request(() -> {
                child.get().join();
                Where where = readYourWrites();
                assertThat(where.value()).isEqualTo("child");
                assertThat(where.inRecovery()).as("ran on a standby").isFalse();
                assertThat(application.items().eventual(1).value()).isEqualTo("old");
                return null;
            });
        }
    }

    /** The same without a session for the child: the parent cannot know. */
    @Test
    void whatABareThreadWroteTheParentDoesNotSee() {
        ReplicationBed.request(() -> {
            CompletableFuture.runAsync(() -> application.items().write(1, "child"), this.bare)
                    .join();
            assertThat(readYourWrites().value()).isEqualTo("old");
            return null;
        });
    }

    /** A pool that runs a task on the thread of its submitter, who is in another session by then. */
    @Test
    void aTaskHasTheSessionOfItsSubmitterOnWhateverThread() {
        Runnable[] task = new Runnable[1];
        Where[] seen = new Where[1];
        Runnable read = () -> seen[0] = readYourWrites();
        ReplicationBed.request(() -> {
            task[0] = application.operations().wrap(read);
            return null;
        });
        Runnable ofNobody = application.operations().wrap(read);
        ReplicationBed.request(() -> {
            application.items().write(1, "new");
            task[0].run();
            assertThat(seen[0].value()).as("another client's").isEqualTo("old");
            ofNobody.run();
            assertThat(seen[0].value()).as("nobody's").isEqualTo("new");
            assertThat(seen[0].inRecovery()).as("ran on a standby").isFalse();
            assertThat(readYourWrites().value()).isEqualTo("new");
            return null;
        });
        assertThat(ThreadScope.current()).isNull();
    }

    @Test
    void aCommitWithoutASessionIsCounted() {
        double before = commitsWithoutSession();
        application.items().write(1, "new");
        application.items().unmarkedReadOnly(1);
        application.items().unmarked(1);
        assertThat(commitsWithoutSession() - before).isEqualTo(1);
        ReplicationBed.request(() -> {
            application.items().write(1, "newer");
            return null;
        });
        assertThat(commitsWithoutSession() - before).isEqualTo(1);
    }

    private static double commitsWithoutSession() {
        var counter = application
                .context()
                .getBean(io.micrometer.core.instrument.MeterRegistry.class)
                .find("freshness.commit.without.session")
                .counter();
        return counter == null ? 0 : counter.count();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class AsyncApplication {

        @Bean
        AsyncItems asyncItems(Items items) {
            return new AsyncItems(items);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class PropagatesContext {

        @Bean
        AsyncItems asyncItems(Items items) {
            return new AsyncItems(items);
        }

        @Bean
        TaskDecorator propagating() {
            return new ContextPropagatingTaskDecorator();
        }
    }

    static class AsyncItems {

        private final Items items;

        AsyncItems(Items items) {
            this.items = items;
        }

        @Async
        public CompletableFuture<Where> readYourWrites(int id) {
            return CompletableFuture.completedFuture(this.items.readYourWrites(id));
        }

        @Async
        public CompletableFuture<Void> write(int id, String name) {
            this.items.write(id, name);
            return CompletableFuture.completedFuture(null);
        }
    }
}
