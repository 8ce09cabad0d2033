/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;
import org.springframework.transaction.annotation.Transactional;

/** A user's repository: its transactions are read-only unless a method says otherwise. */
@Transactional(readOnly = true)
interface ShelfRepository extends JpaRepository<Shelf, Integer> {

    @Modifying
    @Query("update Shelf set name = :name where id = :id")
    int rename(@Param("id") int id, @Param("name") String name);
}
