/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.FreshnessOperations;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.test.ReplicatedPostgres;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A {@link ReplicatedApplication} that a test starts when it wants to, with properties that it learns as it runs. */
record StartedApplication(ConfigurableApplicationContext context) implements AutoCloseable {

    /** Starts the application on a cluster; later properties win. */
    static StartedApplication on(ReplicatedPostgres postgres, String... properties) {
        postgres.primary().execute("create table if not exists item (id int primary key, name text)");
        postgres.primary().execute("insert into item values (1, 'old') on conflict (id) do update set name = 'old'");
        postgres.awaitCaughtUp();
        return onAsItIs(postgres, properties);
    }

    /** The same, on a cluster that need not have caught up. */
    static StartedApplication onAsItIs(ReplicatedPostgres postgres, String... properties) {
        Map<String, Object> all = new HashMap<>(postgres.properties());
        Stream.concat(Stream.of(ReplicatedApplication.WITHOUT_JPA), Arrays.stream(properties))
                .map(property -> property.split("=", 2))
                .forEach(property -> all.put(property[0], property[1]));
        all.values().removeIf(""::equals);
        return new StartedApplication(new SpringApplicationBuilder(ReplicatedApplication.class)
                .web(WebApplicationType.NONE)
                .properties(all)
                .run());
    }

    Items items() {
        return this.context.getBean(Items.class);
    }

    FreshnessDatabase database() {
        return this.context.getBean(FreshnessDatabase.class);
    }

    FreshnessOperations operations() {
        return this.context.getBean(FreshnessOperations.class);
    }

    JdbcClient jdbc() {
        return this.context.getBean(JdbcClient.class);
    }

    @Override
    public void close() {
        this.context.close();
    }
}
