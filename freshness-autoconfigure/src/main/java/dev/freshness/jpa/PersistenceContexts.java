/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jpa;

import dev.freshness.ContractConflictException;
import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.aop.ContractBoundary;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Sees to it that an entity which was loaded from a replica never answers for a stricter read, and is never flushed by a
 * write.
 *
 * <p>Where a persistence context is bound to the thread over several transactions, as open-in-view binds it, a call under
 * a contract gets a context of its own: the outermost call, and each that is stricter than the context it finds. It stays
 * open, for associations to load, as long as the context around it. A method that opens a read-write transaction keeps the
 * request's context, in which nothing is ever loaded from a replica.
 *
 * <p>Where there can be none, because a transaction is open on a replica or begins to write within such a call, the
 * context is cleared if nothing in it was changed.
 *
 * <p>What it does when it cannot know, or may not clear: {@link ContractConflictException}, before anything has begun. It
 * hears of transactions that begin from their manager; one that an application made without asking for
 * {@link TransactionExecutionListener}s does not tell.
 *
 * <p>Thread-safe. Owns the contexts it opens.
 */
public final class PersistenceContexts implements ContractBoundary, TransactionExecutionListener {

    private final StaleContext stale;

    private final Supplier<TransactionAttributeSource> attributes;

    private final Provider provider;

    /**
     * Creates it.
     *
     * @param stale what to do with a context that cannot be used any further
     * @param attributes tells what transaction a method opens; asked for when the first contract meets a context
     */
    public PersistenceContexts(StaleContext stale, Supplier<TransactionAttributeSource> attributes) {
        this.stale = stale;
        this.attributes = attributes;
        this.provider = ClassUtils.isPresent("org.hibernate.Session", PersistenceContexts.class.getClassLoader())
                ? new HibernateProvider()
                : Provider.UNKNOWN;
    }

    @Override
    public Exit enter(
            @Nullable FreshnessContract around,
            FreshnessContract contract,
            @Nullable Method method,
            @Nullable Class<?> targetClass) {
        ThreadScope scope = ThreadScope.current();
        if (scope == null) {
            return NOTHING;
        }
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            // Outside of all contracts, and if it may write, the transaction is on the writer.
            if (around != null && TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
                join(around, contract, scope.session(), method, targetClass);
            }
            return NOTHING;
        }
        List<OwnContexts.Bound> unfit = bound();
        unfit.removeIf(bound -> isFit(bound.holder(), around, contract, scope.session()));
        boolean supports = around == null && TransactionSynchronizationManager.isSynchronizationActive();
        if (unfit.isEmpty() && !supports || opensReadWriteTransaction(method, targetClass)) {
            return NOTHING;
        }
        return OwnContexts.open(this.provider, unfit, contract, scope.session());
    }

    private static List<OwnContexts.Bound> bound() {
        Map<Object, Object> resources = TransactionSynchronizationManager.getResourceMap();
        List<OwnContexts.Bound> bound = new ArrayList<>(1);
        for (Map.Entry<Object, Object> resource : resources.entrySet()) {
            if (resource.getKey() instanceof EntityManagerFactory factory
                    && resource.getValue() instanceof EntityManagerHolder holder
                    && isRouted(factory)) {
                bound.add(new OwnContexts.Bound(factory, holder));
            }
        }
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

    private static boolean isFit(
            EntityManagerHolder holder,
            @Nullable FreshnessContract around,
            FreshnessContract contract,
            FreshnessSession session) {
        if (holder.isSynchronizedWithTransaction() && !TransactionSynchronizationManager.isSynchronizationActive()) {
            // Of a transaction that is completing: its manager still counts on it.
            return true;
        }
        if (holder instanceof OwnContext own) {
            return own.suffices(contract, session);
        }
        // Bound within a call of the same contract; when, in relation to the session's writes, is not known.
        return around != null
                && !OwnContext.isStricter(contract, around)
                && contract.mode() != FreshnessMode.READ_YOUR_WRITES;
    }

    /** A call joins a read-only transaction: what was loaded before must not answer if the call asks for more. */
    private void join(
            FreshnessContract around,
            FreshnessContract contract,
            FreshnessSession session,
            @Nullable Method method,
            @Nullable Class<?> targetClass) {
        boolean stricter = OwnContext.isStricter(contract, around);
        if (!stricter && contract.mode() != FreshnessMode.READ_YOUR_WRITES) {
            return;
        }
        List<OwnContexts.Bound> contexts = bound();
        if (contexts.isEmpty() || !joinsTransaction(method, targetClass)) {
            return;
        }
        for (OwnContexts.Bound context : contexts) {
            OwnContext own = context.holder() instanceof OwnContext any ? any : null;
            boolean seen = own == null ? SeenWrites.areAllOf(session) : own.hasSeenWritesOf(session);
            EntityManager entityManager = own == null ? context.holder().getEntityManager() : own.entityManager();
            if ((stricter || !seen) && mayHoldRowsOfReplica(own, entityManager)) {
                clear(
                        entityManager,
                        contract.mode() + " of " + contract.declaredBy() + " joined a transaction under "
                                + around.mode() + " of " + around.declaredBy(),
                        "Declare the contract where the transaction begins, or open a transaction of its own for it");
                if (own == null) {
                    SeenWrites.note(session);
                } else {
                    own.cleared(session);
                }
            }
        }
    }

    private boolean mayHoldRowsOfReplica(@Nullable OwnContext own, EntityManager entityManager) {
        if (own != null && !own.isUsed()) {
            return false;
        }
        return own != null && own.isOlderThanTransaction() || this.provider.isOnReplica(entityManager);
    }

    @Override
    public void beforeBegin(TransactionExecution transaction) {
        for (OwnContexts.Bound context : bound()) {
            if (context.holder() instanceof OwnContext own && !own.isSynchronizedWithTransaction()) {
                boolean mayBeStale = own.contract().mode() != FreshnessMode.AUTHORITATIVE_NOW;
                if (!transaction.isReadOnly() && own.isUsed() && mayBeStale) {
                    clear(
                            own.entityManager(),
                            "The read-write transaction " + transaction.getTransactionName() + " begins within "
                                    + own.contract().mode() + " of "
                                    + own.contract().declaredBy(),
                            "Call it outside of the contract, or load what it changes within the transaction");
                }
                own.transactionBegins();
            }
        }
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        ThreadScope scope = ThreadScope.current();
        FreshnessContract contract = scope == null ? null : scope.contract();
        if (beginFailure == null
                && scope != null
                && contract != null
                && contract.mode() == FreshnessMode.READ_YOUR_WRITES
                && transaction.isReadOnly()) {
            SeenWrites.note(scope.session());
        }
    }

    private void clear(EntityManager context, String what, String cure) {
        if (this.provider.isEmpty(context)) {
            return;
        }
        if (this.stale == StaleContext.FAIL) {
            throw new ContractConflictException(what + ", whose persistence context may hold entities of a replica,"
                    + " and freshness.jpa.stale-context is 'fail'. " + cure);
        }
        if (this.provider.isDirty(context)) {
            throw new ContractConflictException(what + ", whose persistence context may hold entities of a replica and"
                    + " cannot be cleared, because something in it was changed. " + cure);
        }
        context.clear();
    }

    private boolean opensReadWriteTransaction(@Nullable Method method, @Nullable Class<?> targetClass) {
        TransactionAttribute attribute = attribute(method, targetClass);
        return attribute != null
                && !attribute.isReadOnly()
                && switch (attribute.getPropagationBehavior()) {
                    case TransactionDefinition.PROPAGATION_REQUIRED,
                            TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                            TransactionDefinition.PROPAGATION_NESTED -> true;
                    default -> false;
                };
    }

    private boolean joinsTransaction(@Nullable Method method, @Nullable Class<?> targetClass) {
        TransactionAttribute attribute = attribute(method, targetClass);
        return attribute == null
                || switch (attribute.getPropagationBehavior()) {
                    case TransactionDefinition.PROPAGATION_REQUIRES_NEW,
                            TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
                            TransactionDefinition.PROPAGATION_NEVER -> false;
                    default -> true;
                };
    }

    private @Nullable TransactionAttribute attribute(@Nullable Method method, @Nullable Class<?> targetClass) {
        return method == null ? null : this.attributes.get().getTransactionAttribute(method, targetClass);
    }
}
