/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.ItemWriter;
import org.springframework.batch.infrastructure.item.support.ListItemReader;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What keeps its own books in the database stays on the writer, and takes part in the application's transactions. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.autoconfigure.exclude="
                    + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                    + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration",
            "spring.batch.jdbc.initialize-schema=always",
            "spring.batch.job.enabled=false",
            "spring.quartz.job-store-type=jdbc",
            "spring.quartz.jdbc.initialize-schema=always",
            "spring.quartz.auto-startup=false",
            "spring.quartz.properties.org.quartz.jobStore.driverDelegateClass="
                    + "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate",
            "spring.session.jdbc.initialize-schema=always",
            "spring.sql.init.mode=always",
            "spring.sql.init.schema-locations=classpath:db/infrastructure.sql"
        })
@Import(InfrastructureTests.Application.class)
class InfrastructureTests extends ReplicationBed {

    @TestConfiguration(proxyBeanMethods = false)
    static class Application {

        @Bean
        Touch touch(JdbcClient jdbc) {
            return new Touch(jdbc);
        }

        @Bean(defaultCandidate = false)
        HikariDataSource otherDataSource(Environment environment) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(environment.getRequiredProperty("spring.datasource.url"));
            pool.setUsername(environment.getRequiredProperty("spring.datasource.username"));
            pool.setPassword(environment.getRequiredProperty("spring.datasource.password"));
            return pool;
        }
    }

    /**
     * Touches the HTTP session, and notes the client's floor once that is saved: when the response is committed. And then
     * once more after a write of the application's own.
     */
    @RestController
    static class Touch {

        private final JdbcClient jdbc;

        private final AtomicReference<Floor> floor = new AtomicReference<>();

        private final AtomicReference<Floor> floorAfterWrite = new AtomicReference<>();

        private final AtomicInteger saved = new AtomicInteger();

        Touch(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @GetMapping("/touch")
        void touch(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getSession().setAttribute("touched", "yes");
            response.flushBuffer();
            this.floor.set(floor());
            this.saved.set(this.jdbc
                    .sql("select count(*) from spring_session join spring_session_attributes"
                            + " on primary_id = session_primary_id where session_id = ? and attribute_name = 'touched'")
                    .param(request.getSession().getId())
                    .query(Integer.class)
                    .single());
            this.jdbc.sql("update item set name = 'touched' where id = 1").update();
            this.floorAfterWrite.set(floor());
        }

        private static Floor floor() {
            return Objects.requireNonNull(ThreadScope.current()).session().floor("default");
        }
    }

    /** Does nothing; it is only scheduled. */
    public static class NoJob implements Job {

        @Override
        public void execute(JobExecutionContext context) {
            // Never started.
        }
    }

    @Autowired
    JdbcClient jdbc;

    @Autowired
    DataSource dataSource;

    @Autowired
    @Qualifier("otherDataSource")
    HikariDataSource otherDataSource;

    @Autowired
    PlatformTransactionManager manager;

    @Autowired
    TransactionTemplate transactions;

    @Autowired
    JobRepository jobRepository;

    @Autowired
    JobOperator jobs;

    @Autowired
    Scheduler scheduler;

    @Autowired
    Touch touch;

    @LocalServerPort
    int port;

    @BeforeEach
    void replicasStandStill() {
        this.primary.execute("truncate batch_rows");
        pauseReplicas();
        this.borrows.reset();
    }

    private void assertNoReplicaWasAsked() {
        for (PostgresNode replica : this.postgres.replicas()) {
            assertThat(this.borrows.of(replica.name())).as(replica.name()).isZero();
        }
    }

    @Test
    void aChunkThatFailsInItsWriterRollsBackItsRows() throws Exception {
        JobExecution execution = run(chunk -> chunk.forEach(id -> {
            insertBatchRow(id);
            if (id == 13) {
                throw new IllegalStateException("on purpose");
            }
        }));
        assertThat(execution.getStatus()).isEqualTo(BatchStatus.FAILED);
        assertThat(this.primary.query("select max(id) from batch_rows")).isEqualTo("10");
        assertThat(this.primary.query("select write_count || ' ' || status from batch_step_execution"
                        + " where job_execution_id = " + execution.getId()))
                .isEqualTo("10 FAILED");
        assertNoReplicaWasAsked();
    }

    /**
     * Batch notes a chunk's progress within the chunk's transaction after the writer, and once more when the step ends. So
     * the chunk fails at its commit, and others look at that moment.
     */
    @Test
    void aChunkThatFailsAtItsCommitRollsBackItsRowsAndItsMetaData() throws Exception {
        List<String> writtenAsOthersSee = new ArrayList<>();
        JobExecution execution = run(chunk -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    writtenAsOthersSee.add(primary.query("select max(id) || ' ' || (select write_count from"
                            + " batch_step_execution order by step_execution_id desc limit 1) from batch_rows"));
                }
            });
            chunk.forEach(id -> insertBatchRow(id == 13 ? 12 : id));
        });
        assertThat(execution.getStatus()).isNotEqualTo(BatchStatus.COMPLETED);
        assertThat(writtenAsOthersSee).containsExactly("5 5", "10 10", "10 10");
        assertNoReplicaWasAsked();
    }

    private JobExecution run(ItemWriter<Integer> writer) throws Exception {
        Step step = new StepBuilder("step", this.jobRepository)
                .<Integer, Integer>chunk(5)
                .transactionManager(this.manager)
                .reader(new ListItemReader<>(
                        IntStream.rangeClosed(1, 20).boxed().toList()))
                .writer(writer)
                .build();
        return this.jobs.start(
                new org.springframework.batch.core.job.builder.JobBuilder("job", this.jobRepository)
                        .start(step)
                        .build(),
                new JobParametersBuilder()
                        .addString("at", Instant.now().toString())
                        .toJobParameters());
    }

    private void insertBatchRow(int id) {
        this.jdbc.sql("insert into batch_rows values (?)").param(id).update();
        assertThat(this.jdbc
                        .sql("select pg_is_in_recovery()")
                        .query(Boolean.class)
                        .single())
                .isFalse();
    }

    @Test
    void aScheduledJobDisappearsWithItsTransaction() {
        this.transactions.executeWithoutResult(status -> {
            schedule("gone");
            assertThat(this.jdbc
                            .sql("select count(*) from qrtz_job_details where job_name = 'gone'")
                            .query(Integer.class)
                            .single())
                    .isEqualTo(1);
            status.setRollbackOnly();
        });
        this.transactions.executeWithoutResult(status -> schedule("kept"));
        assertThat(this.primary.query("select string_agg(job_name, ',') from qrtz_job_details"))
                .isEqualTo("kept");
        assertNoReplicaWasAsked();
    }

    private void schedule(String name) {
        try {
            this.scheduler.scheduleJob(
                    JobBuilder.newJob(NoJob.class).withIdentity(name).build(),
                    TriggerBuilder.newTrigger().withIdentity(name).startNow().build());
        } catch (SchedulerException ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void aLockIsTakenOnTheWriter() {
        JdbcTemplateLockProvider locks = new JdbcTemplateLockProvider(new JdbcTemplate(this.dataSource));
        LockConfiguration lock = new LockConfiguration(Instant.now(), "lock", Duration.ofMinutes(10), Duration.ZERO);
        SimpleLock held = locks.lock(lock).orElseThrow();
        assertThat(this.primary.query("select count(*) from shedlock where lock_until > now()"))
                .isEqualTo("1");
        assertThat(locks.lock(lock)).isEmpty();
        held.unlock();
        assertThat(locks.lock(lock)).isPresent();
        assertNoReplicaWasAsked();
    }

    @Test
    void aRequestThatOnlyTouchesTheHttpSessionRaisesNoFloor() throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + "/touch"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(this.touch.saved).hasValue(1);
        assertThat(this.touch.floor.get()).isSameAs(Floor.none());
        assertThat(this.touch.floorAfterWrite.get()).isNotSameAs(Floor.none());
        assertNoReplicaWasAsked();
    }

    @Test
    void aCommitOnAnotherDataSourceRaisesNoFloor() {
        FreshnessSession session = FreshnessSession.ofNewClient();
        try (ThreadScope request = ThreadScope.open(session)) {
            new TransactionTemplate(new JdbcTransactionManager(this.otherDataSource))
                    .executeWithoutResult(status -> JdbcClient.create(this.otherDataSource)
                            .sql("update item set name = 'other' where id = 1")
                            .update());
        }
        assertThat(this.primary.query("select name from item where id = 1")).isEqualTo("other");
        assertThat(session.floor("default")).isSameAs(Floor.none());
    }
}
