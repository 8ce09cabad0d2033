/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.orders;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import dev.freshness.sample.InvalidFieldException;
import dev.freshness.sample.NotFoundException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class OrderService {

    private final JdbcClient jdbc;

    OrderService(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Takes the price from the writer, where it is the price of now. */
    @Transactional
    public long place(OrderRequest request) {
        return jdbc.sql("""
                        INSERT INTO customer_order (item_id, quantity, unit_price)
                        SELECT id, :quantity, price FROM item WHERE id = :itemId
                        RETURNING id
                        """)
                .param("itemId", request.itemId())
                .param("quantity", request.quantity())
                .query(Long.class)
                .optional()
                .orElseThrow(() -> new InvalidFieldException("itemId", "there is no item " + request.itemId()));
    }

    /** Looking at orders must not take capacity from placing them: better refused for a moment than read on the writer. */
    @Freshness(value = FreshnessMode.READ_YOUR_WRITES, onUnmet = OnUnmet.REJECT)
    @Transactional(readOnly = true)
    public Order order(long id) {
        return jdbc.sql("SELECT id, item_id, quantity, unit_price, placed_at FROM customer_order WHERE id = :id")
                .param("id", id)
                .query(Order.class)
                .optional()
                .orElseThrow(() -> new NotFoundException("order", id));
    }
}
