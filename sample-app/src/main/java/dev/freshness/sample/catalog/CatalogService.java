/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.catalog;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

@Service
class CatalogService {

    private final JdbcClient jdbc;

    CatalogService(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Prices of half a minute ago are good enough to look at. One statement needs no transaction. */
    @Freshness(value = FreshnessMode.EVENTUAL, maxStaleness = "30s")
    public List<Item> items() {
        return jdbc.sql("SELECT id, name, price FROM item ORDER BY id")
                .query(Item.class)
                .list();
    }
}
