/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** A listener reads after the commit what the commit has changed. */
abstract class FieldCaseH12 extends ReplicationBed {

    @TestConfiguration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Group group(JdbcClient jdbc) {
            return new Group(jdbc);
        }

        @Bean
        Notices notices(Group group) {
            return new Notices(group);
        }
    }

    /** A member left. */
    record Left(int id) {}

    /** A user's service. */
    static class Group {

        private final JdbcClient jdbc;

        Group(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        void remove(int id) {
            this.jdbc.sql("delete from item where id = ?").param(id).update();
        }

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "0s")
        @Transactional(propagation = Propagation.REQUIRES_NEW, readOnly = true)
        public Where member(int id) {
            return Where.read(this.jdbc, id);
        }

        @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "30s")
        @Transactional(propagation = Propagation.REQUIRES_NEW, readOnly = true)
        public Where memberOnceCaughtUp(int id) {
            return Where.read(this.jdbc, id);
        }

        @Freshness(FreshnessMode.EVENTUAL)
        @Transactional(propagation = Propagation.REQUIRES_NEW, readOnly = true)
        public Where memberForStrangers(int id) {
            return Where.read(this.jdbc, id);
        }
    }

    /** What listeners saw. */
    static class Notices {

        private final Group group;

        private final List<Where> own = new ArrayList<>();

        private @Nullable Where stranger;

        private boolean patient;

        Notices(Group group) {
            this.group = group;
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
        public void afterCommit(Left left) {
            load(left.id());
            this.stranger = this.group.memberForStrangers(left.id());
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        public void afterCompletion(Left left) {
            load(left.id());
        }

        private void load(int id) {
            this.own.add(this.patient ? this.group.memberOnceCaughtUp(id) : this.group.member(id));
        }
    }

    @Autowired
    Group group;

    @Autowired
    Notices notices;

    @Autowired
    ApplicationEventPublisher events;

    @Autowired
    TransactionTemplate transactions;

    private void leave(boolean patient, boolean rollback) {
        this.notices.own.clear();
        this.notices.patient = patient;
        request(() -> {
            this.transactions.executeWithoutResult(status -> {
                this.events.publishEvent(new Left(1));
                this.group.remove(1);
                if (rollback) {
                    status.setRollbackOnly();
                }
            });
            return null;
        });
    }

    @Test
    void aListenerDoesNotSeeWhoLeft() {
        pauseReplicas();
        leave(false, false);
        assertThat(this.notices.own).hasSize(2).allSatisfy(seen -> {
            assertOnWriter(seen);
            assertThat(seen.value()).isNull();
        });
        Where control = Objects.requireNonNull(this.notices.stranger);
        assertOnReplica(control);
        assertThat(control.value()).isEqualTo("old");
    }

    @Test
    void norDoesItOnAReplicaThatCatchesUp() {
        leave(true, false);
        assertThat(this.notices.own).hasSize(2).allSatisfy(seen -> {
            assertOnReplica(seen);
            assertThat(seen.value()).isNull();
        });
    }

    @Test
    void afterARollbackItSeesWhoStayed() {
        pauseReplicas();
        leave(false, true);
        assertThat(this.notices.own)
                .hasSize(1)
                .allSatisfy(seen -> assertThat(seen.value()).isEqualTo("old"));
    }
}
