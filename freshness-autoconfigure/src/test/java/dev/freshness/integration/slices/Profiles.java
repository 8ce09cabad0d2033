/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration.slices;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

/** A repository of a user's project, with contracts of all three kinds. */
interface Profiles extends JpaRepository<Profile, Integer> {

    @Freshness(FreshnessMode.EVENTUAL)
    @Query("select p.name from Profile p where p.id = :id")
    Optional<String> eventualName(Integer id);

    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    @Query("select p.name from Profile p where p.id = :id")
    Optional<String> ownName(Integer id);

    @Freshness(FreshnessMode.AUTHORITATIVE_NOW)
    @Query("select p.name from Profile p where p.id = :id")
    Optional<String> nameNow(Integer id);
}
