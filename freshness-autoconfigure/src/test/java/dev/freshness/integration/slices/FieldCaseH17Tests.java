/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.integration.MonitorThreads;
import dev.freshness.jdbc.FreshnessRoutingDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * H17: test slices swap the data source. A starter that insists on replicas then breaks every slice test of its users;
 * without replicas every level is met by the one database there is.
 */
@ExtendWith(OutputCaptureExtension.class)
class FieldCaseH17Tests {

    private static final MonitorThreads THREADS = new MonitorThreads();

    @AfterEach
    void nothingIsMonitoredAndNothingComplains(CapturedOutput output) {
        assertThat(THREADS.since()).isEmpty();
        assertThat(output).doesNotContain("cannot be observed");
    }

    private static String product(DataSource dataSource) throws SQLException {
        try (var connection = dataSource.getConnection()) {
            return connection.getMetaData().getDatabaseProductName();
        }
    }

    private static void assertEveryLevelIsMet(Profiles profiles) {
        profiles.saveAndFlush(new Profile(1, "new"));
        assertThat(profiles.eventualName(1)).contains("new");
        assertThat(profiles.ownName(1)).contains("new");
        assertThat(profiles.nameNow(1)).contains("new");
    }

    @Nested
    @Import(OneContainer.class)
    @DataJpaTest(properties = "spring.jpa.hibernate.ddl-auto=create")
    @AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
    class DataJpaSliceOnTheContainer {

        @Test
        void everyLevelIsMet(@Autowired Profiles profiles, @Autowired DataSource dataSource) throws SQLException {
            assertThat(product(dataSource)).isEqualTo("PostgreSQL");
            assertEveryLevelIsMet(profiles);
        }
    }

    @Nested
    @DataJpaTest(properties = "spring.jpa.hibernate.ddl-auto=create")
    class DataJpaSliceOnAnEmbeddedDatabase {

        @Test
        void everyLevelIsMet(@Autowired Profiles profiles, @Autowired DataSource dataSource) throws SQLException {
            assertThat(product(dataSource)).isEqualTo("H2");
            assertEveryLevelIsMet(profiles);
        }
    }

    @Nested
    @JdbcTest
    class JdbcSlice {

        @Test
        void starts(@Autowired JdbcTemplate jdbc) {
            assertThat(jdbc.queryForObject("select 1", Integer.class)).isEqualTo(1);
        }
    }

    @Nested
    @Import(OneContainer.class)
    @SpringBootTest(
            webEnvironment = SpringBootTest.WebEnvironment.NONE,
            properties = "spring.jpa.hibernate.ddl-auto=create")
    class WholeApplicationOnTheContainer {

        @Test
        void everyLevelIsMet(
                @Autowired Profiles profiles, @Autowired ProfileService service, @Autowired DataSource dataSource)
                throws SQLException {
            assertThat(dataSource).isInstanceOf(FreshnessRoutingDataSource.class);
            assertThat(product(dataSource)).isEqualTo("PostgreSQL");
            assertEveryLevelIsMet(profiles);
            service.save(2, "saved");
            assertThat(service.name(2)).isEqualTo("saved");
        }
    }

    @Nested
    @SpringBootTest(
            webEnvironment = SpringBootTest.WebEnvironment.NONE,
            properties = "spring.jpa.hibernate.ddl-auto=create")
    @AutoConfigureTestDatabase
    class WholeApplicationOnAnEmbeddedDatabase {

        @Test
        void everyLevelIsMetAndNoPositionQueryBreaksACommit(
                @Autowired ProfileService service, @Autowired DataSource dataSource) throws SQLException {
            assertThat(product(dataSource)).isEqualTo("H2");
            service.save(2, "saved");
            assertThat(service.name(2)).isEqualTo("saved");
        }
    }

    @Nested
    @Import(OneContainer.class)
    @SpringBootTest(
            webEnvironment = SpringBootTest.WebEnvironment.NONE,
            properties = {"spring.jpa.hibernate.ddl-auto=create", "freshness.enforcement=off"})
    class SwitchedOff {

        @Test
        void annotationsMeanNothing(@Autowired ProfileService service, @Autowired DataSource dataSource) {
            assertThat(dataSource).isInstanceOf(HikariDataSource.class);
            service.save(2, "saved");
            assertThat(service.name(2)).isEqualTo("saved");
        }
    }
}
