/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.IMetricsTracker;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Counts what is borrowed from each pool. The monitor's connections are of no pool and not counted. */
final class Borrows implements BeanPostProcessor {

    private final ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof HikariDataSource pool && pool.getMetricsTrackerFactory() == null) {
            pool.setMetricsTrackerFactory((name, stats) -> new IMetricsTracker() {
                @Override
                public void recordConnectionAcquiredNanos(long nanos) {
                    count(name).increment();
                }
            });
        }
        return bean;
    }

    private LongAdder count(String pool) {
        return this.counts.computeIfAbsent(pool, key -> new LongAdder());
    }

    long of(String pool) {
        return count(pool).sum();
    }

    void reset() {
        this.counts.values().forEach(LongAdder::reset);
    }
}
