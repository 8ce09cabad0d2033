/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessScope;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A user's service that names the business objects it reads and writes. Each is an item. */
class ScopedProfiles {

    private final JdbcClient jdbc;

    ScopedProfiles(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What is to be saved; new without an identifier. */
    public record Draft(@Nullable Integer id, String name) {}

    @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "0s", scope = "'profile:' + #id")
    @Transactional(readOnly = true)
    public Where load(int id) {
        return Where.read(this.jdbc, id);
    }

    @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "0s", scope = "'profile:' + #id")
    public Where loadWithoutTransaction(int id) {
        return Where.read(this.jdbc, id);
    }

    /** Everything; a test looks at one of them. */
    @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "0s")
    @Transactional(readOnly = true)
    public Where list(int id) {
        return Where.read(this.jdbc, id);
    }

    /** For those who may miss their own writes. */
    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true)
    public Where glance(int id) {
        return Where.read(this.jdbc, id);
    }

    @FreshnessScope("'profile:' + #id")
    @Transactional
    public void rename(int id, String name) {
        update(id, name);
    }

    @FreshnessScope("'profile:' + #id")
    @Transactional
    public <T> T renameAround(int id, String name, Supplier<T> inside) {
        update(id, name);
        return inside.get();
    }

    @FreshnessScope("'profile:' + #id")
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void renameInNewTransaction(int id, String name) {
        update(id, name);
    }

    @FreshnessScope("'profile:' + #id")
    public void renameWithoutTransaction(int id, String name) {
        update(id, name);
    }

    @Transactional
    public void renameUnscoped(int id, String name) {
        update(id, name);
    }

    @FreshnessScope("'profile:' + #draft.id")
    @Transactional
    public void save(Draft draft) {
        if (draft.id() == null) {
            this.jdbc
                    .sql("insert into item (id, name) select max(id) + 1, ? from item")
                    .param(draft.name())
                    .update();
        } else {
            update(draft.id(), draft.name());
        }
    }

    @Freshness(value = FreshnessMode.AUTHORITATIVE_NOW, scope = "'profile:' + #id")
    @Transactional
    public void renameUnderContract(int id, String name) {
        update(id, name);
    }

    @FreshnessScope("'profile:' + #id")
    @Transactional(readOnly = true)
    public Where readWithoutContract(int id) {
        return Where.read(this.jdbc, id);
    }

    private void update(int id, String name) {
        this.jdbc.sql("update item set name = ? where id = ?").params(name, id).update();
    }
}
