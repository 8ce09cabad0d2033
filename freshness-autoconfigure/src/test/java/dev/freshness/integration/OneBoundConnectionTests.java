/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.test.ReplicatedPostgresTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.transaction.SpringManagedTransactionFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One connection for a whole request, as open-in-view has, under frameworks other than JPA. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class OneBoundConnectionTests extends ReplicationBed {

    /** A user's data access. */
    interface Access {

        String nameAndRecovery(int id);

        int rename(int id, String name);
    }

    /** A user's mapper. */
    interface Mapper extends Access {

        @Override
        @Select("select name || ' ' || pg_is_in_recovery() from item where id = #{id}")
        String nameAndRecovery(int id);

        @Override
        @Update("update item set name = #{name} where id = #{id}")
        int rename(@Param("id") int id, @Param("name") String name);
    }

    @Autowired
    FreshnessOperations operations;

    @Autowired
    DataSource dataSource;

    private static Access myBatis(DataSource dataSource) {
        Configuration configuration =
                new Configuration(new Environment("test", new SpringManagedTransactionFactory(), dataSource));
        configuration.addMapper(Mapper.class);
        return new SqlSessionTemplate(new SqlSessionFactoryBuilder().build(configuration)).getMapper(Mapper.class);
    }

    private static Access jooq(DataSource dataSource) {
        DSLContext jooq = DSL.using(new TransactionAwareDataSourceProxy(dataSource), SQLDialect.POSTGRES);
        return new Access() {
            @Override
            public String nameAndRecovery(int id) {
                return (String) jooq.fetchValue("select name || ' ' || pg_is_in_recovery() from item where id = ?", id);
            }

            @Override
            public int rename(int id, String name) {
                return jooq.execute("update item set name = ? where id = ?", name, id);
            }
        };
    }

    private static String read(TransactionTemplate transactions, Access access) {
        transactions.setReadOnly(true);
        try {
            return transactions.execute(status -> access.nameAndRecovery(1));
        } finally {
            transactions.setReadOnly(false);
        }
    }

    @Test
    void aReadAWriteAndAReadEachGoWhereTheyBelong() throws SQLException {
        pauseReplicas();
        for (Function<DataSource, Access> framework : List.<Function<DataSource, Access>>of(
                OneBoundConnectionTests::jooq, OneBoundConnectionTests::myBatis)) {
            this.primary.execute("update item set name = 'old' where id = 1");
            try (Connection connection = this.dataSource.getConnection()) {
                DataSource bound = new SingleConnectionDataSource(connection, true);
                TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(bound));
                Access access = framework.apply(bound);
                request(() -> {
                    assertThat(this.operations.read(FreshnessMode.EVENTUAL, () -> read(transactions, access)))
                            .isEqualTo("old true");
                    transactions.executeWithoutResult(status -> access.rename(1, "new"));
                    assertThat(this.operations.read(FreshnessMode.READ_YOUR_WRITES, () -> read(transactions, access)))
                            .isEqualTo("new false");
                    assertThat(this.operations.read(FreshnessMode.EVENTUAL, () -> read(transactions, access)))
                            .isEqualTo("old true");
                    return null;
                });
            }
        }
    }
}
