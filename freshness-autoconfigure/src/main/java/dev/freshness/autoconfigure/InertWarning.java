/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.jdbc.FreshnessRoutingDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Says once, at start, that contracts are not enforced because no data source is routed. */
final class InertWarning implements SmartInitializingSingleton {

    private static final Logger logger = LoggerFactory.getLogger(InertWarning.class);

    private final ObjectProvider<FreshnessRoutingDataSource> routed;

    private final ObjectProvider<DataSource> dataSources;

    InertWarning(ObjectProvider<FreshnessRoutingDataSource> routed, ObjectProvider<DataSource> dataSources) {
        this.routed = routed;
        this.dataSources = dataSources;
    }

    @Override
    public void afterSingletonsInstantiated() {
        boolean anyRouted =
                this.routed.stream(ObjectProvider.UNFILTERED).findAny().isPresent()
                        || this.dataSources.stream(ObjectProvider.UNFILTERED).anyMatch(InertWarning::isRouted);
        boolean any =
                this.dataSources.stream(ObjectProvider.UNFILTERED).findAny().isPresent();
        if (any && !anyRouted) {
            logger.warn(
                    "@Freshness contracts are not enforced: the application's DataSource is not routed, because it is"
                            + " a bean of its own or not a HikariCP pool to PostgreSQL. Set freshness.wrap to the name of a"
                            + " DataSource bean to route it, or freshness.enforcement=off to say that this is intended");
        }
    }

    private static boolean isRouted(DataSource dataSource) {
        try {
            return dataSource.isWrapperFor(FreshnessRoutingDataSource.class);
        } catch (SQLException | RuntimeException ex) {
            // A routing data source of the application's own may have no target outside of its units.
            return false;
        }
    }
}
