/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import dev.freshness.jdbc.RoutedConnection;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceException;
import java.sql.Connection;
import java.sql.SQLException;
import org.hibernate.SessionEventListener;
import org.hibernate.engine.spi.SessionImplementor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hibernate.
 *
 * <p>A context of a call that has ended is closed by the session around the call when that is closed, on whichever thread
 * does so: web requests that continue asynchronously need nothing more.
 *
 * <p>What it does when it cannot know: a context that is none of Hibernate's is treated as one of an unknown provider.
 */
final class HibernateProvider implements Provider {

    private static final Logger logger = LoggerFactory.getLogger(HibernateProvider.class);

    private static @Nullable SessionImplementor session(EntityManager context) {
        try {
            return context.unwrap(SessionImplementor.class);
        } catch (PersistenceException | IllegalStateException ex) {
            // Another provider's, or closed.
            return null;
        }
    }

    @Override
    public boolean isEmpty(EntityManager context) {
        SessionImplementor session = session(context);
        return session != null && session.getStatistics().getEntityCount() == 0;
    }

    @Override
    public boolean isDirty(EntityManager context) {
        SessionImplementor session = session(context);
        return session == null || session.isDirty();
    }

    @Override
    public boolean isOnReplica(EntityManager context) {
        SessionImplementor session = session(context);
        return session == null || session.doReturningWork(HibernateProvider::isOnReplica);
    }

    private static boolean isOnReplica(Connection connection) throws SQLException {
        return connection.isWrapperFor(RoutedConnection.class)
                && connection.unwrap(RoutedConnection.class).isOnReplica();
    }

    @Override
    public void letIdleConnectionGo(EntityManager context) {
        try {
            SessionImplementor session = session(context);
            if (session != null
                    && session.getJdbcCoordinator().getLogicalConnection().isPhysicallyConnected()) {
                Connection connection =
                        session.getJdbcCoordinator().getLogicalConnection().getPhysicalConnection();
                if (connection.isWrapperFor(RoutedConnection.class)) {
                    connection.unwrap(RoutedConnection.class).letIdleGo();
                }
            }
        } catch (SQLException | RuntimeException ex) {
            logger.debug("A connection that may be idle was not given back", ex);
        }
    }

    @Override
    public boolean keepOpen(OwnContext ended) {
        try {
            SessionImplementor root = session(ended.root());
            SessionImplementor own = session(ended.entityManager());
            if (root == null || own == null || !root.isOpen()) {
                return false;
            }
            // Opened while its contract is in force, if it was not yet: such a connection goes back after each
            // statement.
            own.doWork(connection -> {});
            own.addEventListeners(new OneConnectionAtATime(this, ended));
            root.addEventListeners(new ClosesWithRoot(ended));
            return true;
        } catch (RuntimeException ex) {
            logger.debug("A persistence context is closed at the end of its call", ex);
            return false;
        }
    }

    /** On the session around a call: closes the context of the call. */
    private static final class ClosesWithRoot implements SessionEventListener {

        private final transient OwnContext ended;

        ClosesWithRoot(OwnContext ended) {
            this.ended = ended;
        }

        @Override
        public void end() {
            this.ended.closeQuietly();
        }
    }

    /**
     * On the context of a call that has ended: before it loads something, those around it give back what they hold and do
     * not need. A request that needed two connections of a pool at a time could wait for others that do the same.
     */
    private static final class OneConnectionAtATime implements SessionEventListener {

        private final transient Provider provider;

        private final transient OwnContext ended;

        OneConnectionAtATime(Provider provider, OwnContext ended) {
            this.provider = provider;
            this.ended = ended;
        }

        @Override
        public void jdbcPrepareStatementStart() {
            this.ended.letConnectionsAroundGo(this.provider);
        }
    }
}
