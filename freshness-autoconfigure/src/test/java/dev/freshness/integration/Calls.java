/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import java.util.function.Supplier;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Outer methods of several kinds, around whatever a test wants to be called inside of them. */
class Calls {

    @Freshness(FreshnessMode.EVENTUAL)
    public <T> T eventual(Supplier<T> inside) {
        return inside.get();
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true)
    public <T> T eventualTransaction(Supplier<T> inside) {
        return inside.get();
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public <T> T eventualSnapshot(Supplier<T> inside) {
        return inside.get();
    }

    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    @Transactional(readOnly = true)
    public <T> T readYourWritesTransaction(Supplier<T> inside) {
        return inside.get();
    }

    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public <T> T readYourWritesSnapshot(Supplier<T> inside) {
        return inside.get();
    }

    @Freshness(FreshnessMode.AUTHORITATIVE_NOW)
    public <T> T authoritative(Supplier<T> inside) {
        return inside.get();
    }

    @Freshness(FreshnessMode.AUTHORITATIVE_NOW)
    @Transactional(readOnly = true)
    public <T> T authoritativeTransaction(Supplier<T> inside) {
        return inside.get();
    }

    @Transactional
    public <T> T unmarkedTransaction(Supplier<T> inside) {
        return inside.get();
    }

    @Transactional(readOnly = true)
    public <T> T unmarkedReadOnlyTransaction(Supplier<T> inside) {
        return inside.get();
    }

    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public <T> T unmarkedSnapshot(Supplier<T> inside) {
        return inside.get();
    }
}
