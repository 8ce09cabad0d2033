/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.jdbc.RefusalsKeepConnections;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Makes the pools of the replicas: as the writer's, but with short timeouts, since a read has somewhere else to go, and
 * without a connect at start, since a dead replica must not hold up a boot.
 */
final class ReplicaPoolFactory {

    private static final long CONNECTION_TIMEOUT_MILLIS = 1000;

    private static final long VALIDATION_TIMEOUT_MILLIS = 500;

    private final FreshnessProperties properties;

    private final @Nullable HikariDataSource writer;

    private final Environment environment;

    ReplicaPoolFactory(FreshnessProperties properties, @Nullable HikariDataSource writer, Environment environment) {
        this.properties = properties;
        this.writer = writer;
        this.environment = environment;
    }

    HikariDataSource create(String name) {
        FreshnessProperties.Replica replica =
                Objects.requireNonNull(this.properties.replicas().get(name));
        HikariDataSource pool = new HikariDataSource();
        if (this.writer != null) {
            this.writer.copyStateTo(pool);
            pool.setDataSourceClassName(null);
        }
        pool.setPoolName(name);
        pool.setJdbcUrl(replica.url());
        if (replica.username() != null) {
            pool.setUsername(replica.username());
        }
        if (replica.password() != null) {
            pool.setPassword(replica.password());
        }
        pool.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        pool.setValidationTimeout(VALIDATION_TIMEOUT_MILLIS);
        pool.setInitializationFailTimeout(-1);
        Binder.get(this.environment).bind("freshness.replicas." + name + ".hikari", Bindable.ofInstance(pool));
        keepConnectionsAfterRefusals(pool);
        return pool;
    }

    /** Unless the application has a view of its own on which failures cost a connection its place. */
    static void keepConnectionsAfterRefusals(HikariDataSource pool) {
        if (pool.getExceptionOverrideClassName() == null && pool.getExceptionOverride() == null) {
            pool.setExceptionOverride(new RefusalsKeepConnections());
        }
    }
}
