/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import java.sql.SQLException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The profiles of the physical connections in use. Each is read once, by whoever borrows the connection first; after that
 * a look-up is a read without a lock.
 *
 * <p>What it does when it cannot know: a connection whose server does not answer the question has no profile. It captures
 * nothing and vouches for nothing.
 *
 * <p>Thread-safe. Does not keep closed connections for longer than until the next new one.
 */
final class ConnectionProfiles {

    private static final Logger logger = LoggerFactory.getLogger(ConnectionProfiles.class);

    private final ConcurrentMap<BaseConnection, ConnectionProfile> profiles = new ConcurrentHashMap<>();

    private volatile boolean refused;

    /**
     * The profile of a connection.
     *
     * @param driver the driver's own connection, borrowed by the calling thread, idle and in auto-commit mode
     * @return its profile, or null if the server does not tell
     */
    @Nullable
    ConnectionProfile of(BaseConnection driver) {
        ConnectionProfile known = this.profiles.get(driver);
        if (known != null && (known.timeline() != 0 || isStandby(driver))) {
            return known;
        }
        return read(driver);
    }

    private @Nullable ConnectionProfile read(BaseConnection driver) {
        this.profiles.keySet().removeIf(ConnectionProfiles::isClosed);
        try {
            ConnectionProfile profile = ConnectionProfile.read(driver);
            this.profiles.put(driver, profile);
            return profile;
        } catch (SQLException ex) {
            if (!this.refused) {
                this.refused = true;
                logger.warn(
                        "A server does not tell who it is [{}]: {}. Commits on it leave the position unknown, "
                                + "and reads that owe to a write go to the writer",
                        ex.getSQLState(),
                        ex.getMessage());
            }
            return null;
        }
    }

    private static boolean isClosed(BaseConnection driver) {
        try {
            return driver.isClosed();
        } catch (SQLException ex) {
            return true;
        }
    }

    /** The driver keeps the server's last word on its role; asking for it sends nothing. */
    static boolean isStandby(BaseConnection driver) {
        return "on".equals(driver.getParameterStatus("in_hot_standby"));
    }

    static boolean isPrimary(BaseConnection driver) {
        return "off".equals(driver.getParameterStatus("in_hot_standby"));
    }
}
