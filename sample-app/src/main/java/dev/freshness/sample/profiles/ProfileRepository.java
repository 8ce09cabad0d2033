/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.profiles;

import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.CrudRepository;

/**
 * Reads return what is in the database, not entities: with open-in-view an entity of an earlier transaction of the same
 * request would be answered from memory, whatever the contract.
 */
interface ProfileRepository extends CrudRepository<Profile, Long> {

    Optional<ProfileView> findViewById(long id);

    @Query("SELECT permission FROM Profile profile JOIN profile.permissions permission"
            + " WHERE profile.id = :id ORDER BY permission")
    List<String> findPermissions(long id);
}
