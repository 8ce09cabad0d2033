/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatementKindTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into item values (1, 'a')",
                "\n  UPDATE item\n SET name = ? WHERE id = ?;  ",
                "delete from item where id in (select 1)",
                "merge into item using item i on false when matched then do nothing",
                "insert into item values (1, 'a') returning id"
            })
    void aSingleChangeOfDataSetsNothing(String sql) {
        assertThat(StatementKind.of(sql)).isSameAs(StatementKind.DATA_CHANGE);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "set my.tenant = 'a'",
                "select set_config('my.tenant', 'a', false)",
                "update item set name = 'a'; set my.tenant = 'a'",
                "with gone as (delete from item returning id) select * from gone",
                "/* why */ update item set name = 'a'",
                "begin",
                "listen news",
                "{call f()}"
            })
    void whatIsNotCertainMaySetSomething(String sql) {
        assertThat(StatementKind.of(sql)).isSameAs(StatementKind.OTHER);
    }

    @Test
    void severalStatementsAmountToTheMostOfThem() {
        assertThat(StatementKind.PLAIN_READ.and(StatementKind.DATA_CHANGE)).isSameAs(StatementKind.DATA_CHANGE);
        assertThat(StatementKind.OTHER.and(StatementKind.DATA_CHANGE)).isSameAs(StatementKind.OTHER);
        assertThat(StatementKind.DATA_CHANGE.and(StatementKind.PLAIN_READ)).isSameAs(StatementKind.DATA_CHANGE);
    }
}
