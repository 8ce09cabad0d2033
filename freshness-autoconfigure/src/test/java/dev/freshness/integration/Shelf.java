/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entity without a version, with an association that is loaded late. */
@Entity
class Shelf {

    @Id
    private int id;

    private @Nullable String name;

    private @Nullable String note;

    @ElementCollection
    private List<String> books = new ArrayList<>();

    protected Shelf() {}

    Shelf(int id, String name) {
        this.id = id;
        this.name = name;
    }

    @Nullable
    String name() {
        return this.name;
    }

    @Nullable
    String note() {
        return this.note;
    }

    void rename(String name) {
        this.name = name;
    }

    List<String> books() {
        return this.books;
    }
}
