/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Items over HTTP: what a read saw, and where. */
@RestController
@RequestMapping("/items/{id}")
class ItemRequests {

    private final Items items;

    private final JdbcClient jdbc;

    private final JdbcTemplate template;

    private final TransactionTemplate transactions;

    private volatile CountDownLatch gate = new CountDownLatch(0);

    private volatile CountDownLatch arrived = new CountDownLatch(0);

    ItemRequests(Items items, JdbcClient jdbc, DataSource dataSource, PlatformTransactionManager manager) {
        this.items = items;
        this.jdbc = jdbc;
        this.template = new JdbcTemplate(dataSource);
        this.template.setQueryTimeout(30);
        this.transactions = new TransactionTemplate(manager);
    }

    /** Holds the next request that asks to be held, once it has committed, until the gate is opened. */
    void close() {
        this.gate = new CountDownLatch(1);
        this.arrived = new CountDownLatch(1);
    }

    void awaitHeld() throws InterruptedException {
        assertThat(this.arrived.await(30, TimeUnit.SECONDS)).isTrue();
    }

    void open() {
        this.gate.countDown();
    }

    @GetMapping
    Where readYourWrites(@PathVariable int id) {
        return this.items.readYourWrites(id);
    }

    @GetMapping("/or-reject")
    Where readYourWritesOrReject(@PathVariable int id) {
        return this.items.readYourWritesOrReject(id);
    }

    @GetMapping("/eventual")
    Where eventual(@PathVariable int id) {
        return this.items.eventual(id);
    }

    /** Where a count of all items ran, and what it came to. */
    @GetMapping("/count")
    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    public Where count(@PathVariable int id) {
        return this.jdbc
                .sql("select pg_is_in_recovery(), inet_server_port(), pg_backend_pid(), count(*)::text from item")
                .query((row, number) -> new Where(row.getBoolean(1), row.getInt(2), row.getInt(3), row.getString(4)))
                .single();
    }

    @PutMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void write(@PathVariable int id, @RequestBody String name) {
        this.items.write(id, name);
    }

    /** A write whose position is not captured. */
    @PutMapping("/without-transaction")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void writeWithoutTransaction(@PathVariable int id, @RequestBody String name) {
        this.items.writeWithoutTransaction(id, name);
    }

    /** A transaction whose position is not captured, since a cancel may come at any time. */
    @PutMapping("/with-timeout")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void writeWithTimeout(@PathVariable int id, @RequestBody String name) {
        this.transactions.executeWithoutResult(
                status -> this.template.update("update item set name = ? where id = ?", name, id));
    }

    /** A write whose response comes when the gate is opened. */
    @PutMapping("/held")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void writeAndHold(@PathVariable int id, @RequestBody String name) throws InterruptedException {
        this.items.write(id, name);
        this.arrived.countDown();
        assertThat(this.gate.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @PutMapping("/and-fail")
    void writeAndFail(@PathVariable int id, @RequestBody String name) {
        this.items.write(id, name);
        throw new IllegalStateException("after the commit");
    }

    @PostMapping
    ResponseEntity<Void> post(@PathVariable int id, @RequestBody String name) {
        this.items.write(id, name);
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .header("Location", "/items/" + id)
                .build();
    }

    @GetMapping("/nothing")
    String nothing() {
        return "nothing";
    }
}
