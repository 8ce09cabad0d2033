/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration.slices;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity of a user's project. */
@Entity
class Profile {

    @Id
    private Integer id;

    private String name;

    protected Profile() {}

    Profile(Integer id, String name) {
        this.id = id;
        this.name = name;
    }

    String name() {
        return this.name;
    }
}
