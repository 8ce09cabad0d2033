/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Whatever becomes of requests, their sessions, floors and contracts end with them. */
@ReplicatedPostgresTest
class NoLeakTests {

    private static final int REQUESTS = 10_000;

    private static final String[] PATHS = {"/throws", "/later", "/later-and-throws", "/writes"};

    /** The container looks for these once a second. */
    private static final int TIMEOUTS = 10;

    /** The live objects of our classes that belong to requests, by class, after a full collection. */
    private static Map<String, Long> alive() throws Exception {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        return histogram
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length >= 4)
                .filter(columns -> Stream.of(FreshnessSession.class, ThreadScope.class)
                                .anyMatch(type -> type.getName().equals(columns[3]))
                        || columns[3].equals("dev.freshness.session.SessionFloors")
                        || columns[3].equals("dev.freshness.web.TokenExchange"))
                .collect(Collectors.toMap(columns -> columns[3], columns -> Long.parseLong(columns[1])));
    }

    @Test
    void nothingIsLeftOnAnyThread(ReplicatedPostgres postgres) throws Exception {
        try (Instance instance = Instance.with(
                postgres,
                Handlers.class,
                "server.tomcat.threads.max=1",
                "server.tomcat.threads.min-spare=1",
                "spring.task.execution.pool.core-size=1",
                "logging.level.org.apache.catalina.core.ContainerBase=off",
                "logging.level.root=off")) {
            WebClient client = WebClient.withHeader();
            for (String path : PATHS) {
                client.get(instance, path);
            }
            Map<String, Long> before = alive();
            for (int i = 0; i < REQUESTS; i++) {
                String path = i % (REQUESTS / TIMEOUTS) == 0 ? "/times-out" : PATHS[i % PATHS.length];
                int expected =
                        path.equals("/later") || path.equals("/writes") ? 200 : path.equals("/times-out") ? 503 : 500;
                assertThat(client.get(instance, path).statusCode()).as(path).isEqualTo(expected);
            }
            Handlers handlers = instance.context().getBean(Handlers.class);
            assertThat(handlers.found).hasValue(0);
            assertThat(handlers.threads).hasSize(1);
            await().atMost(ReplicationBed.DEADLINE).untilAsserted(() -> {
                Map<String, Long> after = alive();
                // What the newest request of each connection has left behind in the container may still be there.
                before.forEach((type, count) ->
                        assertThat(after.getOrDefault(type, 0L)).as(type).isLessThanOrEqualTo(count + 5));
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @RestController
    static class Handlers {

        /** How often something was in force on a thread before or after a request. */
        private final AtomicInteger found = new AtomicInteger();

        private final Map<Thread, Boolean> threads = new ConcurrentHashMap<>();

        @Bean
        FilterRegistrationBean<Filter> around() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
                look();
                try {
                    chain.doFilter(request, response);
                } finally {
                    look();
                }
            });
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
            return registration;
        }

        private void look() {
            // An error dispatch may be inside of the request's own pass through the filters.
            this.threads.put(Thread.currentThread(), true);
            if (ThreadScope.current() != null) {
                this.found.incrementAndGet();
            }
        }

        @Bean
        Reads reads(Items items) {
            return new Reads(items);
        }

        private Reads reads;

        @Autowired
        void use(@Lazy Reads bean) {
            this.reads = bean;
        }

        @GetMapping("/throws")
        String fails() {
            return this.reads.failing();
        }

        @GetMapping("/times-out")
        DeferredResult<String> timesOut() {
            this.reads.passing();
            return new DeferredResult<>(1L);
        }

        @GetMapping("/later")
        Callable<String> later() {
            return this.reads::passing;
        }

        @GetMapping("/later-and-throws")
        Callable<String> laterAndFails() {
            return this.reads::failing;
        }

        @GetMapping("/writes")
        String writes() {
            return this.reads.writing();
        }
    }

    static class Reads {

        private final Items items;

        Reads(Items items) {
            this.items = items;
        }

        @Freshness(FreshnessMode.READ_YOUR_WRITES)
        public String failing() {
            this.items.eventual(1);
            throw new IllegalStateException("on purpose");
        }

        @Freshness(FreshnessMode.EVENTUAL)
        public String passing() {
            return String.valueOf(this.items.readYourWrites(1).value());
        }

        public String writing() {
            this.items.write(1, "again");
            return "done";
        }
    }
}
