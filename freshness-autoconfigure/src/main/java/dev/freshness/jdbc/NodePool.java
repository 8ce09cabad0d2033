/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.pool.ProxyConnection;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's name, the pool that leads to it, and how busy that is kept through this object. Does not own the pool.
 *
 * <p>Thread-safe if the pool is.
 */
public final class NodePool {

    private static final Logger logger = LoggerFactory.getLogger(NodePool.class);

    private final String name;

    private final DataSource dataSource;

    private final NodeLoad load = new NodeLoad();

    /**
     * Creates a node's pool.
     *
     * @param name the node's name, unique in its database
     * @param dataSource its pool
     */
    public NodePool(String name, DataSource dataSource) {
        this.name = name;
        this.dataSource = dataSource;
    }

    /**
     * The node's name.
     *
     * @return for example {@code replica-1}
     */
    public String name() {
        return this.name;
    }

    /**
     * The pool.
     *
     * @return always the same one
     */
    public DataSource dataSource() {
        return this.dataSource;
    }

    /**
     * Where the pool leads.
     *
     * @return its JDBC URL without user, password and parameters; null if it is not a HikariCP pool with a URL
     */
    public @Nullable String address() {
        HikariDataSource pool = hikari();
        return pool == null || pool.getJdbcUrl() == null ? null : Addresses.of(pool.getJdbcUrl());
    }

    /**
     * How full the pool is.
     *
     * @return null if it is not a HikariCP pool, or has not started
     */
    public @Nullable PoolFigures figures() {
        HikariDataSource pool = hikari();
        HikariPoolMXBean figures = pool == null ? null : pool.getHikariPoolMXBean();
        return pool == null || figures == null
                ? null
                : new PoolFigures(
                        pool.getPoolName(),
                        figures.getActiveConnections(),
                        figures.getIdleConnections(),
                        figures.getThreadsAwaitingConnection(),
                        pool.getMaximumPoolSize());
    }

    /** The pool if it is HikariCP's. */
    @Nullable
    HikariDataSource hikari() {
        try {
            return this.dataSource.isWrapperFor(HikariDataSource.class)
                    ? this.dataSource.unwrap(HikariDataSource.class)
                    : null;
        } catch (SQLException ex) {
            logger.debug("The pool of {} is not known", this.name, ex);
            return null;
        }
    }

    NodeLoad load() {
        return this.load;
    }

    /** How long a borrower waits for a connection, in milliseconds; zero if that is not known. */
    int patienceMillis() {
        HikariDataSource pool = hikari();
        return pool == null ? 0 : (int) Math.min(Integer.MAX_VALUE, pool.getConnectionTimeout());
    }

    /** Lets go of the connections that lie idle, and of those in use once they come back. Never throws. */
    void softEvict() {
        HikariDataSource hikari = hikari();
        HikariPoolMXBean pool = hikari == null ? null : hikari.getHikariPoolMXBean();
        if (pool != null) {
            pool.softEvictConnections();
        }
    }

    /** Throws a borrowed connection away so that the pool does not hand it out again. Never throws. */
    void evict(Connection connection) {
        try {
            HikariDataSource pool = connection instanceof ProxyConnection ? hikari() : null;
            if (pool != null) {
                // Closes it, too; the pool's own close() does not expect an evicted connection with changed settings.
                pool.evictConnection(connection);
            } else {
                connection.abort(Runnable::run);
                connection.close();
            }
        } catch (SQLException ex) {
            logger.debug("A connection of {} that was given up could not be closed", this.name, ex);
        }
    }
}
