/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A user's service over JPA. Each method notes where it ran. */
class Shelves {

    private final EntityManager entities;

    private final List<Boolean> inRecovery = new ArrayList<>();

    Shelves(EntityManager entities) {
        this.entities = entities;
    }

    /** Whether each read and write since the last call ran on a standby. */
    List<Boolean> inRecovery() {
        List<Boolean> noted = List.copyOf(this.inRecovery);
        this.inRecovery.clear();
        return noted;
    }

    private void note() {
        this.inRecovery.add((Boolean) this.entities
                .createNativeQuery("select pg_is_in_recovery()", Boolean.class)
                .getSingleResult());
    }

    private @Nullable Shelf load(int id) {
        note();
        return this.entities.find(Shelf.class, id);
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true)
    public @Nullable Shelf eventual(int id) {
        return load(id);
    }

    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    @Transactional(readOnly = true)
    public @Nullable Shelf readYourWrites(int id) {
        return load(id);
    }

    @Freshness(FreshnessMode.AUTHORITATIVE_NOW)
    @Transactional(readOnly = true)
    public @Nullable Shelf authoritative(int id) {
        return load(id);
    }

    @Freshness(FreshnessMode.AUTHORITATIVE_NOW)
    public @Nullable Shelf authoritativeWithoutTransaction(int id) {
        return load(id);
    }

    @Freshness(FreshnessMode.EVENTUAL)
    public <T> T underEventual(Supplier<T> inside) {
        return inside.get();
    }

    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    @Transactional(readOnly = true)
    public <T> T inReadYourWritesTransaction(Supplier<T> inside) {
        return inside.get();
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional(readOnly = true)
    public <T> T inEventualTransaction(Supplier<T> inside) {
        return inside.get();
    }

    public @Nullable Shelf unmarked(int id) {
        return load(id);
    }

    @Transactional
    public void create(int id, String name) {
        note();
        this.entities.persist(new Shelf(id, name));
    }

    @Transactional
    public void rename(int id, String name) {
        note();
        Objects.requireNonNull(this.entities.find(Shelf.class, id)).rename(name);
    }

    @Freshness(FreshnessMode.EVENTUAL)
    @Transactional
    public void renameUnderContract(int id, String name) {
        note();
        Objects.requireNonNull(this.entities.find(Shelf.class, id)).rename(name);
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void renameInNewTransaction(int id, String name) {
        Objects.requireNonNull(this.entities.find(Shelf.class, id)).rename(name);
    }
}
