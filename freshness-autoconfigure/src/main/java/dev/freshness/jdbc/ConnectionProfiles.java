/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.topology.ServerIdentity;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
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

    /** Asked once, and the server would not tell. */
    private static final Set<String> REFUSALS = Set.of("42501", "0A000");

    private final ConcurrentMap<BaseConnection, Optional<ConnectionProfile>> profiles = new ConcurrentHashMap<>();

    private volatile boolean warned;

    /**
     * The profile of a connection.
     *
     * @param driver the driver's own connection, borrowed by the calling thread, idle and in auto-commit mode
     * @param patienceMillis how long a new connection is waited for; nobody could cut it, since it is not known to lead to
     *     a server that does not answer any more
     * @return its profile, or null if the server does not tell
     */
    @Nullable
    ConnectionProfile of(BaseConnection driver, int patienceMillis) {
        Optional<ConnectionProfile> known = this.profiles.get(driver);
        if (known == null) {
            return read(driver, patienceMillis);
        }
        ConnectionProfile profile = known.orElse(null);
        // A connection that was opened to a standby outlives the standby's promotion.
        return profile != null && profile.timeline() == 0 && !isStandby(driver)
                ? read(driver, patienceMillis)
                : profile;
    }

    private @Nullable ConnectionProfile read(BaseConnection driver, int patienceMillis) {
        this.profiles.keySet().removeIf(ConnectionProfiles::isClosed);
        try {
            ConnectionProfile profile = ConnectionProfile.read(driver, patienceMillis);
            this.profiles.put(driver, Optional.of(profile));
            return profile;
        } catch (SQLException ex) {
            if (ex.getSQLState() != null && REFUSALS.contains(ex.getSQLState())) {
                this.profiles.put(driver, Optional.empty());
                warnOnce(ex);
            } else {
                logger.debug("A server did not tell who it is", ex);
            }
            return null;
        }
    }

    /** Cuts the connections to a server. */
    void abort(ServerIdentity server) {
        this.profiles.forEach((driver, profile) -> {
            if (profile.isPresent() && profile.get().identity().equals(server)) {
                try {
                    driver.abort(Runnable::run);
                } catch (SQLException ex) {
                    logger.debug("A connection could not be cut", ex);
                }
            }
        });
    }

    private void warnOnce(SQLException ex) {
        if (!this.warned) {
            this.warned = true;
            logger.warn(
                    "A server does not tell who it is [{}]: {}. It serves no reads as a replica, and commits on it leave the"
                            + " position unknown, so that reads that owe to a write go to the writer",
                    ex.getSQLState(),
                    ex.getMessage());
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
