/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessScope;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;

/** A user's repository that names the business objects it reads and writes. */
interface AuthorRepository extends JpaRepository<Author, Integer> {

    @Override
    @FreshnessScope("'author:' + #author.id")
    <S extends Author> S save(S author);

    @Override
    @Freshness(value = FreshnessMode.READ_YOUR_WRITES, waitBudget = "0s", scope = "'author:' + #id")
    Optional<Author> findById(Integer id);
}
