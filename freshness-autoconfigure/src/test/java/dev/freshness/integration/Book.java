/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;

/** The far end of a lazy association. */
@Entity
class Book {

    @Id
    private Integer id;

    @ManyToOne(fetch = FetchType.LAZY)
    private Author author;

    protected Book() {}

    Book(Integer id, Author author) {
        this.id = id;
        this.author = author;
    }

    Author author() {
        return this.author;
    }
}
