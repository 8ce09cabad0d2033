/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.FreshnessMode;
import dev.freshness.test.ReplicatedPostgresTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.hibernate.Hibernate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * H02: after one read, the write in the same web request goes to the replica, because the session keeps its first
 * connection. The pools hold one connection each: a request never needs two of a node.
 */
@ReplicatedPostgresTest
@Import(Requests.class)
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            PersistenceBed.STATISTICS,
            "spring.datasource.hikari.maximum-pool-size=1",
            "spring.datasource.hikari.connection-timeout=5000"
        })
class FieldCaseH02Tests extends PersistenceBed {

    @Autowired
    Requests requests;

    @LocalServerPort
    int port;

    private Where insertWithBooks(int id) {
        return this.calls.unmarkedTransaction(() -> {
            Author author = new Author(id, "inserted");
            this.entityManager.persist(author);
            this.entityManager.persist(new Book(id * 10, author));
            this.entityManager.persist(new Book(id * 10 + 1, author));
            return Where.read(this.jdbc, 1);
        });
    }

    @Test
    void aReadAWriteAndAReadInOneRequestAndALazyLoadInItsView() {
        pauseReplicas();
        int books = this.requests.get(
                this.port,
                () -> {
                    this.calls.eventualTransaction(() -> {
                        assertOnReplica(Where.read(this.jdbc, 1));
                        assertThat(find(7)).isNull();
                        return null;
                    });
                    assertOnWriter(insertWithBooks(7));
                    Author found = this.calls.readYourWritesTransaction(() -> {
                        assertOnWriter(Where.read(this.jdbc, 1));
                        return find(7);
                    });
                    this.calls.eventualTransaction(() -> {
                        assertOnReplica(Where.read(this.jdbc, 1));
                        assertThat(find(7)).isNull();
                        return null;
                    });
                    insertWithBooks(8);
                    return found;
                },
                found -> {
                    assertThat(Hibernate.isInitialized(found.books())).isFalse();
                    return found.books().size();
                });
        assertThat(books).isEqualTo(2);
        assertThat(inDatabase(7, "name")).isEqualTo("inserted");
    }

    @Test
    void theSameOnOneConnectionThatIsBoundToTheThread() throws SQLException {
        pauseReplicas();
        JdbcTransactionManager manager = new JdbcTransactionManager(this.database.dataSource());
        TransactionTemplate readWrite = new TransactionTemplate(manager);
        TransactionTemplate readOnly = new TransactionTemplate(manager);
        readOnly.setReadOnly(true);
        try (Connection connection = this.database.dataSource().getConnection()) {
            TransactionSynchronizationManager.bindResource(
                    this.database.dataSource(), new ConnectionHolder(connection));
            request(() -> {
                Supplier<Where> read = () -> readOnly.execute(status -> Where.read(this.jdbc, 9));
                Where eventual = this.freshness.read(FreshnessMode.EVENTUAL, read);
                assertOnReplica(eventual);
                assertOnWriter(readWrite.execute(status -> {
                    this.items.writeWithoutTransaction(9, "inserted");
                    return Where.read(this.jdbc, 9);
                }));
                Where own = this.freshness.read(FreshnessMode.READ_YOUR_WRITES, read);
                assertOnWriter(own);
                assertThat(own.value()).isEqualTo("inserted");
                Where control = this.freshness.read(FreshnessMode.EVENTUAL, read);
                assertOnReplica(control);
                assertThat(control.value()).isNull();
                return null;
            });
        } finally {
            TransactionSynchronizationManager.unbindResource(this.database.dataSource());
            this.primary.execute("delete from item where id = 9");
        }
    }
}
