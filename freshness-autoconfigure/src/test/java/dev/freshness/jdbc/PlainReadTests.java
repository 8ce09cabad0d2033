/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainReadTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "SELECT id, name FROM item WHERE id = ?",
                "  -- why\n select /* what */ * from item;  ",
                "select count(*), max(price) from item where id in (1, 2) and (name = 'a' or name = 'it''s')",
                "select name from item where note = 'insert into (x)'",
                "select \"update\" from item",
                "values (1), (2)",
                "table item",
                "show search_path",
                "with a as (select 1) select * from a",
                "(select 1) union (select 2)",
                "select * from item where id = $1",
                "select coalesce(name, '') from item order by lower(name)"
            })
    void recognises(String sql) {
        assertThat(PlainRead.isPlainRead(sql)).isTrue();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "insert into item values (1)",
                "update item set name = 'a'",
                "select * from item for update",
                "select * into copy from item",
                "select nextval('s')",
                "select make_item(1)",
                "select app.lower('x')",
                "select \"lower\"('x')",
                "select \"f\" (1)",
                "select 1; delete from item",
                "with d as (delete from item returning id) select * from d",
                "explain analyze select 1",
                "call p()",
                "commit",
                "select E'\\'' , make_item(1) --'",
                "select 'a\\' , make_item(1) --'",
                "select $$x$$, 1",
                "select /* a /* nested */ b */ 1",
                "select 'open",
                "/* only a comment */",
                "set my.x = 1",
                "do 'begin end'"
            })
    void doesNotRecognise(String sql) {
        assertThat(PlainRead.isPlainRead(sql)).isFalse();
    }
}
