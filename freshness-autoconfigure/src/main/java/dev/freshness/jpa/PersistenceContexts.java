/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.aop.ContractBoundary;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.session.FreshnessScope;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Gives each call under a contract a persistence context of its own where a context is shared by the whole request, as
 * open-in-view does. A find that is answered by the shared context asks no connection, so no contract would be looked at,
 * and what a replica once told would be written back by a later transaction.
 *
 * <p>Guarantees that an entity loaded under one contract neither answers for a stricter one nor is flushed by a read-write
 * transaction. The context of a call stays open as long as the one it stood in for, so that lazy associations load
 * afterwards.
 *
 * <p>What it does when it cannot know: where a call joins what is there already (a transaction on a replica, or a
 * read-write transaction that begins within a call's own context), the context is cleared if it holds no changes, else
 * {@link dev.freshness.ContractConflictException}. Transaction managers that Boot did not make are not heard of.
 *
 * <p>Thread-safe. Owns the contexts it opens until the context that each stands in for is closed.
 */
public final class PersistenceContexts implements ContractBoundary, TransactionExecutionListener {

    private final LoadedEntities entities;

    private final TransactionAttributeSource transactions = new AnnotationTransactionAttributeSource(false);

    /**
     * Creates the boundary.
     *
     * @param policy what to do where a call cannot have a context of its own
     */
    public PersistenceContexts(StaleContext policy) {
        this.entities = new LoadedEntities(policy);
    }

    @Override
    public @Nullable Runnable enter(
            @Nullable FreshnessScope outer,
            FreshnessScope inForce,
            @Nullable Method method,
            @Nullable Class<?> targetClass) {
        Map<EntityManagerFactory, EntityManagerHolder> bound = bound();
        if (bound.isEmpty() || goesOnAsBefore(outer, inForce)) {
            return null;
        }
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            bound.values().stream()
                    .filter(holder -> LoadedEntities.isInTransactionOnReplica(holder.getEntityManager()))
                    .forEach(holder -> this.entities.forget(holder.getEntityManager(), describe(inForce)));
            return null;
        }
        if (method != null && opensReadWriteTransaction(method, targetClass)) {
            return null;
        }
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            // The holder belongs to a synchronization that is not ours to interrupt.
            bound.values().forEach(holder -> this.entities.forget(holder.getEntityManager(), describe(inForce)));
            return null;
        }
        return exchange(bound, inForce.contract());
    }

    private static boolean goesOnAsBefore(@Nullable FreshnessScope outer, FreshnessScope inForce) {
        if (outer == null || outer.contract() == null || inForce.contract() == null) {
            return false;
        }
        return outer.contract().isAtLeastAsStrictAs(inForce.contract()) && !outer.hasWritten();
    }

    private static String describe(FreshnessScope scope) {
        FreshnessContract contract = scope.contract();
        return contract == null ? "what follows" : contract.mode() + " of " + contract.declaredBy();
    }

    private boolean opensReadWriteTransaction(Method method, @Nullable Class<?> targetClass) {
        TransactionAttribute attribute = this.transactions.getTransactionAttribute(method, targetClass);
        return attribute != null
                && !attribute.isReadOnly()
                && switch (attribute.getPropagationBehavior()) {
                    case TransactionDefinition.PROPAGATION_REQUIRED,
                            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                            TransactionDefinition.PROPAGATION_NESTED -> true;
                    default -> false;
                };
    }

    /** The contexts bound to this thread whose connections are routed. */
    private static Map<EntityManagerFactory, EntityManagerHolder> bound() {
        Map<Object, Object> resources = TransactionSynchronizationManager.getResourceMap();
        if (resources.isEmpty()) {
            return Map.of();
        }
        Map<EntityManagerFactory, EntityManagerHolder> bound = new LinkedHashMap<>(2);
        resources.forEach((key, value) -> {
            if (key instanceof EntityManagerFactory factory
                    && value instanceof EntityManagerHolder holder
                    && isRouted(factory)) {
                bound.put(factory, holder);
            }
        });
        return bound;
    }

    private static boolean isRouted(EntityManagerFactory factory) {
        DataSource dataSource = factory instanceof EntityManagerFactoryInfo info ? info.getDataSource() : null;
        try {
            return dataSource == null || dataSource.isWrapperFor(FreshnessRoutingDataSource.class);
        } catch (SQLException ex) {
            // A source that does not say what it wraps may well wrap ours.
            return true;
        }
    }

    private static Runnable exchange(
            Map<EntityManagerFactory, EntityManagerHolder> bound, @Nullable FreshnessContract contract) {
        boolean replicaAllowed = contract == null || contract.mode() != FreshnessMode.AUTHORITATIVE_NOW;
        List<Runnable> restore = new ArrayList<>(1);
        bound.forEach((factory, shared) -> {
            if (shared.isSynchronizedWithTransaction()) {
                // Of a transaction that is completing: its manager still counts on it.
                return;
            }
            OwnContextHolder own = new OwnContextHolder(factory.createEntityManager(), replicaAllowed);
            LoadedEntities.whenClosed(
                    shared.getEntityManager(),
                    () -> EntityManagerFactoryUtils.closeEntityManager(own.getEntityManager()));
            TransactionSynchronizationManager.unbindResource(factory);
            TransactionSynchronizationManager.bindResource(factory, own);
            restore.add(() -> {
                TransactionSynchronizationManager.unbindResourceIfPossible(factory);
                TransactionSynchronizationManager.bindResource(factory, shared);
            });
        });
        return () -> restore.forEach(Runnable::run);
    }

    /** A read-write transaction that begins within a call's own context must not write back what a replica told. */
    @Override
    public void beforeBegin(TransactionExecution transaction) {
        if (!transaction.isReadOnly()) {
            bound().values().forEach(holder -> {
                if (holder instanceof OwnContextHolder own && own.mayHoldReplicaEntities()) {
                    this.entities.forget(holder.getEntityManager(), "the read-write transaction " + name(transaction));
                }
            });
        }
    }

    private static String name(TransactionExecution transaction) {
        String name = transaction.getTransactionName();
        return name.isEmpty() ? "without a name" : name;
    }
}
