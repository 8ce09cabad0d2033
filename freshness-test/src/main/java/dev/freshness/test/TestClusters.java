/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clusters of {@link ReplicatedPostgresTest} classes in this JVM: started at first need, replaced when spoilt. */
final class TestClusters {

    private static final Logger logger = LoggerFactory.getLogger(TestClusters.class);

    private static final Map<Key, ReplicatedPostgres> CLUSTERS = new ConcurrentHashMap<>();

    private TestClusters() {}

    /**
     * What a test class asks for.
     *
     * @param only the one class that has it, or null if it is shared
     */
    record Key(ClusterSettings settings, @Nullable Class<?> only) {

        static Key of(Class<?> declaringClass, ReplicatedPostgresTest annotation) {
            ReplicatedPostgres.Builder builder = ReplicatedPostgres.builder();
            if (annotation.names().length > 0) {
                builder.replicas(annotation.names());
            } else {
                builder.replicas(annotation.replicas());
            }
            for (String setting : List.of(annotation.serverSettings())) {
                int equals = setting.indexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException("Not name=value: '" + setting + "'");
                }
                builder.serverSetting(
                        setting.substring(0, equals).strip(),
                        setting.substring(equals + 1).strip());
            }
            return new Key(builder.settings(), annotation.shared() ? null : declaringClass);
        }
    }

    /** What the annotation at the class, or at the nearest class around it, asks for. */
    static Optional<Key> find(Class<?> testClass) {
        for (Class<?> type = testClass; type != null; type = type.getEnclosingClass()) {
            Optional<ReplicatedPostgresTest> annotation =
                    AnnotationSupport.findAnnotation(type, ReplicatedPostgresTest.class);
            if (annotation.isPresent()) {
                return Optional.of(Key.of(type, annotation.get()));
            }
        }
        return Optional.empty();
    }

    static ReplicatedPostgres get(Key key) {
        return CLUSTERS.computeIfAbsent(key, absent -> ReplicatedPostgres.start(absent.settings));
    }

    /** The cluster as new, except for its data; a new one if that cannot be. */
    static ReplicatedPostgres reset(Key key) {
        ReplicatedPostgres cluster = get(key);
        try {
            cluster.reset();
            return cluster;
        } catch (IllegalStateException | ReplicatedPostgresException e) {
            logger.info("Replacing {}, which cannot be reset: {}", cluster, e.getMessage());
            close(key);
            return get(key);
        }
    }

    static void close(Key key) {
        ReplicatedPostgres cluster = CLUSTERS.remove(key);
        if (cluster != null) {
            cluster.close();
        }
    }
}
