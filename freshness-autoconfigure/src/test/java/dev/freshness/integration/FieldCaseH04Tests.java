/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Selects that are really writes are refused on replicas, which is not held against them. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
@Import(FieldCaseH04Tests.Application.class)
class FieldCaseH04Tests extends ReplicationBed {

    private static final int TIMES = 20;

    private static final List<String> WRITES = List.of(
            "select name from item where id = 1 for update",
            "select nextval('h04_ids')",
            "select h04_insert()",
            "select h04_temp_table()",
            "notify h04");

    @TestConfiguration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Statements statements(JdbcTemplate template) {
            return new Statements(template);
        }
    }

    /** A user's service. */
    static class Statements {

        private final JdbcTemplate template;

        Statements(JdbcTemplate template) {
            this.template = template;
        }

        @Freshness(FreshnessMode.EVENTUAL)
        @Transactional(readOnly = true)
        public void eventual(String sql) {
            this.template.execute(sql);
        }

        @Transactional
        public boolean readWrite(String sql) {
            this.template.execute(sql);
            return inRecovery();
        }

        @Freshness(FreshnessMode.EVENTUAL)
        @Transactional(readOnly = true, isolation = Isolation.SERIALIZABLE)
        public boolean serializable() {
            assertThat(this.template.queryForObject("show transaction_isolation", String.class))
                    .isEqualTo("serializable");
            return inRecovery();
        }

        private boolean inRecovery() {
            return Boolean.TRUE.equals(this.template.queryForObject("select pg_is_in_recovery()", Boolean.class));
        }
    }

    @Autowired
    Statements statements;

    @Autowired
    MeterRegistry meters;

    @Autowired
    HealthIndicator freshnessHealthIndicator;

    @BeforeAll
    static void functions(PostgresNode primary) {
        primary.execute("create table if not exists h04 (id int)");
        primary.execute("create sequence if not exists h04_ids");
        primary.execute("create or replace function h04_insert() returns int language sql as"
                + " $$ insert into h04 values (1) returning id $$");
        primary.execute("create or replace function h04_temp_table() returns int language plpgsql as"
                + " $$ begin create temp table if not exists h04_mine (id int); return 1; end $$");
    }

    private double decisions(String reason) {
        return this.meters.find("freshness.decisions").tag("reason", reason).functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    @Test
    void eachIsRefusedOncePerCallAndTheReplicasStayInRotation() {
        long before = this.borrows.of("replica-1") + this.borrows.of("replica-2");
        for (int i = 0; i < TIMES; i++) {
            for (String write : WRITES) {
                assertThatThrownBy(() -> request(() -> {
                            this.statements.eventual(write);
                            return null;
                        }))
                        .as(write)
                        .rootCause()
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                refused -> assertThat(refused.getSQLState()).isEqualTo("25006"));
            }
            assertOnReplica(request(() -> this.items.eventual(1)));
        }
        assertThat(this.borrows.of("replica-1") + this.borrows.of("replica-2"))
                .isEqualTo(before + (long) TIMES * (WRITES.size() + 1));
        assertThat(this.borrows.of("writer")).isZero();
        awaitEligibleReplicas(2);
        assertThat(this.freshnessHealthIndicator.health().getStatus()).isEqualTo(Status.UP);
        assertThat(this.freshnessHealthIndicator.health().getDetails()).doesNotContainEntry("degraded", true);
    }

    @Test
    void serializableRunsOnTheWriterAndIsCountedForThat() {
        double before = decisions("serializable");
        for (int i = 0; i < TIMES; i++) {
            assertThat(request(this.statements::serializable)).isFalse();
        }
        assertThat(decisions("serializable")).isEqualTo(before + TIMES);
    }

    @Test
    void inAReadWriteTransactionAllWorkOnTheWriter() {
        for (String write : WRITES) {
            assertThat(this.statements.readWrite(write)).as(write).isFalse();
        }
    }
}
