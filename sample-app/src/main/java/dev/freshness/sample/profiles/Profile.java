/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.profiles;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.Version;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A person, with what that person may do. */
@Entity
class Profile {

    @Id
    private long id;

    @Column(length = 100, nullable = false)
    private String displayName;

    /** Null until it is stored, since the id is the client's and does not tell. */
    @Version
    private @Nullable Long version;

    @ElementCollection
    @CollectionTable(name = "profile_permission", joinColumns = @JoinColumn(name = "profile_id"))
    @Column(name = "permission")
    private Set<String> permissions = new HashSet<>();

    /** For JPA. */
    @SuppressWarnings("NullAway.Init")
    protected Profile() {}

    Profile(long id, String displayName) {
        this.id = id;
        this.displayName = displayName;
    }

    void rename(String displayName) {
        this.displayName = displayName;
    }

    void grant(String permission) {
        permissions.add(permission);
    }

    void revoke(String permission) {
        permissions.remove(permission);
    }
}
