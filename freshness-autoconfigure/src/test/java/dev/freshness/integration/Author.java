/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;

/** A user's entity: two columns that lost updates would show in, and an association that is loaded late. No version. */
@Entity
class Author {

    @Id
    private Integer id;

    private String name;

    private String note;

    @OneToMany(mappedBy = "author", fetch = FetchType.LAZY)
    private List<Book> books = new ArrayList<>();

    protected Author() {}

    Author(Integer id, String name) {
        this.id = id;
        this.name = name;
    }

    public Integer getId() {
        return this.id;
    }

    String name() {
        return this.name;
    }

    void rename(String name) {
        this.name = name;
    }

    List<Book> books() {
        return this.books;
    }

    /** Not final, so that a reference loads when it is asked. */
    String getNote() {
        return this.note;
    }
}
