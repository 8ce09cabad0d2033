/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessVerdict;
import dev.freshness.jdbc.CommitOutcome;
import dev.freshness.jdbc.FreshnessDatabase;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.jdbc.NodePool;
import dev.freshness.jdbc.WriteListener;
import dev.freshness.monitor.MonitoredNode;
import dev.freshness.monitor.ProbeListener;
import dev.freshness.routing.Reason;
import dev.freshness.routing.Rollout;
import dev.freshness.routing.RoutingDecision;
import dev.freshness.routing.RoutingListener;
import dev.freshness.routing.WaitOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The parts of one database: pools of the replicas, monitor, routed data source. */
@Configuration(proxyBeanMethods = false)
@Import(ReplicaPoolRegistrar.class)
class FreshnessDatabaseConfiguration {

    static final String DATABASE = "freshnessDatabase";

    private static final int HIKARI_DEFAULT_SIZE = 10;

    static final String DATABASE_NAME = "default";

    /** The name of the node that {@code spring.datasource} leads to. */
    static final String WRITER = "writer";

    static final String WRITER_POOL = "freshnessWriterPool";

    @Bean
    static WriterPoolQualifiers freshnessWriterPoolQualifiers(Environment environment) {
        return new WriterPoolQualifiers(environment);
    }

    @Bean
    ReplicaPoolFactory freshnessReplicaPoolFactory(
            FreshnessProperties properties, @Qualifier(WRITER_POOL) DataSource writer, Environment environment) {
        return new ReplicaPoolFactory(properties, hikari(writer), environment);
    }

    @Bean
    Rollout freshnessRollout(FreshnessProperties properties) {
        return new Rollout(properties.enforcedPercentage());
    }

    @Bean(name = DATABASE)
    FreshnessDatabase freshnessDatabase(
            FreshnessProperties properties,
            @Qualifier(WRITER_POOL) DataSource writer,
            BeanFactory beanFactory,
            Rollout rollout,
            ObjectProvider<RoutingListener> routingListeners,
            ObjectProvider<ProbeListener> probeListeners,
            ObjectProvider<WriteListener> writeListeners) {
        HikariDataSource writerPool = hikari(writer);
        requireAutoCommit("spring.datasource.hikari", writerPool);
        List<NodePool> pools = new ArrayList<>();
        List<MonitoredNode> nodes = new ArrayList<>();
        for (Map.Entry<String, FreshnessProperties.Replica> replica :
                properties.replicas().entrySet()) {
            String name = replica.getKey();
            DataSource pool = beanFactory.getBean(ReplicaPoolRegistrar.beanName(name), DataSource.class);
            HikariDataSource hikari = Objects.requireNonNull(hikari(pool), "A replica's pool is HikariCP's");
            requireAutoCommit("freshness.replicas." + name + ".hikari", hikari);
            pools.add(new NodePool(name, pool));
            nodes.add(monitored(name, hikari));
        }
        return new FreshnessDatabase(
                DATABASE_NAME,
                new NodePool(WRITER, writer),
                monitoredWriter(writerPool, !pools.isEmpty()),
                pools,
                nodes,
                properties.monitor().settings(),
                properties.routing(poolSize(writerPool)),
                rollout,
                all(routingListeners),
                allProbes(probeListeners),
                allWrites(writeListeners));
    }

    private static int poolSize(@Nullable HikariDataSource pool) {
        // Not set yet where the pool has not started.
        return pool == null || pool.getMaximumPoolSize() < 1 ? HIKARI_DEFAULT_SIZE : pool.getMaximumPoolSize();
    }

    @Bean
    MonitorLifecycle freshnessMonitorLifecycle(
            FreshnessDatabase database, ObjectProvider<FreshnessRoutingDataSource> routed) {
        return new MonitorLifecycle(database, routed);
    }

    /** Whether a bean is one of the pools behind the routed data source. */
    static boolean isPool(String beanName) {
        return beanName.equals(WRITER_POOL) || beanName.startsWith(ReplicaPoolRegistrar.PREFIX);
    }

    private static @Nullable HikariDataSource hikari(DataSource dataSource) {
        return DataSourceUnwrapper.unwrap(dataSource, HikariDataSource.class);
    }

    private static @Nullable MonitoredNode monitoredWriter(@Nullable HikariDataSource pool, boolean needed) {
        if (pool != null && pool.getJdbcUrl() != null) {
            return monitored(WRITER, pool);
        }
        if (needed) {
            throw new InvalidFreshnessPropertyException(
                    "freshness.replicas",
                    "is set, but the writer is not a HikariCP pool with a JDBC URL, so it cannot be monitored",
                    "Use a HikariDataSource with a JDBC URL as the writer.");
        }
        return null;
    }

    private static MonitoredNode monitored(String name, HikariDataSource pool) {
        return new MonitoredNode(
                name, pool.getJdbcUrl(), pool.getUsername(), pool.getPassword(), pool.getDataSourceProperties());
    }

    /** With auto-commit off nobody says where a transaction begins, and the next one would join what was read before. */
    private static void requireAutoCommit(String prefix, @Nullable HikariDataSource pool) {
        if (pool != null && !pool.isAutoCommit()) {
            throw new InvalidFreshnessPropertyException(
                    prefix + ".auto-commit",
                    "is false, but a routed pool needs to know where a transaction begins",
                    "Remove it or set it to true; transaction managers switch auto-commit off themselves.");
        }
    }

    private static RoutingListener all(ObjectProvider<RoutingListener> provider) {
        List<RoutingListener> listeners = provider.orderedStream().toList();
        return listeners.size() == 1
                ? listeners.get(0)
                : new RoutingListener() {
                    @Override
                    public void decided(
                            String database, FreshnessContract contract, RoutingDecision decision, boolean enforced) {
                        listeners.forEach(listener -> listener.decided(database, contract, decision, enforced));
                    }

                    @Override
                    public void explained(Supplier<FreshnessVerdict> verdict, boolean enforced) {
                        listeners.forEach(listener -> listener.explained(verdict, enforced));
                    }

                    @Override
                    public boolean traces() {
                        return listeners.stream().anyMatch(RoutingListener::traces);
                    }

                    @Override
                    public @Nullable Trace begins(String database, FreshnessContract contract) {
                        return listeners.stream()
                                .filter(RoutingListener::traces)
                                .findFirst()
                                .map(listener -> listener.begins(database, contract))
                                .orElse(null);
                    }

                    @Override
                    public void waited(String database, WaitOutcome outcome, long nanos) {
                        listeners.forEach(listener -> listener.waited(database, outcome, nanos));
                    }

                    @Override
                    public void recoveryConflict(String database, String node, boolean terminated) {
                        listeners.forEach(listener -> listener.recoveryConflict(database, node, terminated));
                    }

                    @Override
                    public void reran(String database, Reason reason, boolean succeeded) {
                        listeners.forEach(listener -> listener.reran(database, reason, succeeded));
                    }
                };
    }

    private static ProbeListener allProbes(ObjectProvider<ProbeListener> provider) {
        List<ProbeListener> listeners = provider.orderedStream().toList();
        return (database, node, observation, nanos) ->
                listeners.forEach(listener -> listener.probed(database, node, observation, nanos));
    }

    private static WriteListener allWrites(ObjectProvider<WriteListener> provider) {
        List<WriteListener> listeners = provider.orderedStream().toList();
        return new WriteListener() {
            @Override
            public void committed(String database, CommitOutcome outcome, long nanos) {
                listeners.forEach(listener -> listener.committed(database, outcome, nanos));
            }

            @Override
            public void committedWithoutSession(String database) {
                listeners.forEach(listener -> listener.committedWithoutSession(database));
            }

            @Override
            public void wroteUnderContract(String database, FreshnessContract contract) {
                listeners.forEach(listener -> listener.wroteUnderContract(database, contract));
            }
        };
    }
}
