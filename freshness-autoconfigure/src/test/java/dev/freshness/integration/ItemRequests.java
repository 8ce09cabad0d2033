/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
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

    ItemRequests(Items items, JdbcClient jdbc) {
        this.items = items;
        this.jdbc = jdbc;
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
