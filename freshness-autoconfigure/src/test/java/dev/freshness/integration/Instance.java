/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.test.ReplicatedPostgres;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** One of several instances of a web application, with a key for tokens that all of them have. */
record Instance(ConfigurableApplicationContext context, int port) implements AutoCloseable {

    /** Starts one on a cluster; later properties win. */
    static Instance on(ReplicatedPostgres postgres, String... properties) {
        return with(postgres, ItemRequests.class, properties);
    }

    /** The same with other handlers. */
    static Instance with(ReplicatedPostgres postgres, Class<?> handlers, String... properties) {
        // A class before may have left replicas as they were in its last test.
        postgres.reset();
        postgres.primary().execute("create table if not exists item (id int primary key, name text)");
        postgres.primary().execute("insert into item values (1, 'old') on conflict (id) do update set name = 'old'");
        postgres.awaitCaughtUp();
        Map<String, Object> all = new HashMap<>(postgres.properties());
        Stream.concat(
                        Stream.of(
                                ReplicatedApplication.WITHOUT_JPA,
                                "server.port=0",
                                "freshness.web.verdict-header=true",
                                "freshness.token.keys.k1=0123456789abcdef0123456789abcdef",
                                "freshness.token.signing-key=k1",
                                "freshness.token.audience=shop"),
                        Arrays.stream(properties))
                .map(property -> property.split("=", 2))
                .forEach(property -> all.put(property[0], property[1]));
        all.values().removeIf(""::equals);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(ReplicatedApplication.class, handlers)
                .web(WebApplicationType.SERVLET)
                .properties(all)
                .run();
        Instance instance =
                new Instance(context, context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
        ReplicationBed.awaitEligibleReplicas(
                instance.database(), postgres.replicas().size());
        return instance;
    }

    FreshnessDatabase database() {
        return this.context.getBean(FreshnessDatabase.class);
    }

    /** How many tokens, or positions in them, came to a result. */
    double tokens(String result) {
        FunctionCounter counter = this.context
                .getBean(MeterRegistry.class)
                .find("freshness.tokens")
                .tag("result", result)
                .functionCounter();
        return counter == null ? Double.NaN : counter.count();
    }

    /** How many reads went where they went for a reason. */
    double decisions(String reason) {
        return this.context
                .getBean(MeterRegistry.class)
                .find("freshness.decisions")
                .tag("reason", reason)
                .functionCounters()
                .stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    @Override
    public void close() {
        this.context.close();
    }
}
