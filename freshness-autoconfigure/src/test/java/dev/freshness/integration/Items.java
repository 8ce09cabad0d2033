/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A user's service: one method for each way to read and write. */
class Items {

    private final JdbcClient jdbc;

    Items(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true)
    public Where eventual(int id) {
        return Where.read(this.jdbc, id);
    }

    @Freshness(FreshnessMode.EVENTUAL)
    public Where eventualWithoutTransaction(int id) {
        return Where.read(this.jdbc, id);
    }

    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    @Transactional(readOnly = true)
    public Where readYourWrites(int id) {
        return Where.read(this.jdbc, id);
    }

    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    public Where readYourWritesWithoutTransaction(int id) {
        return Where.read(this.jdbc, id);
    }

    @Freshness(value = FreshnessMode.READ_YOUR_WRITES, onUnmet = OnUnmet.REJECT)
    @Transactional(readOnly = true)
    public Where readYourWritesOrReject(int id) {
        return Where.read(this.jdbc, id);
    }

    @Freshness(FreshnessMode.AUTHORITATIVE_NOW)
    @Transactional(readOnly = true)
    public Where authoritative(int id) {
        return Where.read(this.jdbc, id);
    }

    @Freshness(FreshnessMode.AUTHORITATIVE_NOW)
    public Where authoritativeWithoutTransaction(int id) {
        return Where.read(this.jdbc, id);
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional
    public Where eventualInReadWriteTransaction(int id) {
        return Where.read(this.jdbc, id);
    }

    public Where unmarked(int id) {
        return Where.read(this.jdbc, id);
    }

    @Transactional
    public Where unmarkedInTransaction(int id) {
        return Where.read(this.jdbc, id);
    }

    @Transactional(readOnly = true)
    public Where unmarkedReadOnly(int id) {
        return Where.read(this.jdbc, id);
    }

    @Transactional
    public void write(int id, String name) {
        upsert(id, name);
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void writeInNewTransaction(int id, String name) {
        upsert(id, name);
    }

    @Transactional(readOnly = true, propagation = Propagation.REQUIRES_NEW)
    public Where inNewReadOnlyTransaction(int id) {
        return Where.read(this.jdbc, id);
    }

    public void writeWithoutTransaction(int id, String name) {
        upsert(id, name);
    }

    private void upsert(int id, String name) {
        this.jdbc
                .sql("insert into item (id, name) values (?, ?) on conflict (id) do update set name = excluded.name")
                .params(id, name)
                .update();
    }
}
