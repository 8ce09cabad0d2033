/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaFailureTests {

    private static SQLException state(String state) {
        return new SQLException("failed", state);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void conflicts(String state) {
        assertThat(ReplicaFailure.of(state(state), false)).isEqualTo(ReplicaFailure.CONFLICT);
        assertThat(ReplicaFailure.of(state(state), true)).isEqualTo(ReplicaFailure.CONFLICT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P02", "57P03", "08000", "08006", "08P01"})
    void lostConnections(String state) {
        assertThat(ReplicaFailure.of(state(state), false)).isEqualTo(ReplicaFailure.LOST);
        assertThat(ReplicaFailure.of(state(state), true)).isEqualTo(ReplicaFailure.LOST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"25006", "0A000", "55P03", "57014", "22012", "42P01", "25P02", "08003", "XX000"})
    void failuresOfTheCallerUnlessTheConnectionIsGone(String state) {
        assertThat(ReplicaFailure.of(state(state), false)).isEqualTo(ReplicaFailure.CALLERS);
        assertThat(ReplicaFailure.of(state(state), true)).isEqualTo(ReplicaFailure.LOST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"25P03", "25P04", "57P05"})
    void timeoutsThatEndTheSessionAreTheCallersToo(String state) {
        SQLException failure = state(state);
        failure.setNextException(state("08006"));
        assertThat(ReplicaFailure.of(failure, true)).isEqualTo(ReplicaFailure.CALLERS);
    }

    @Test
    void aDroppedDatabaseIsNeitherConflictNorLoss() {
        assertThat(ReplicaFailure.of(state("57P04"), true)).isEqualTo(ReplicaFailure.CALLERS);
        SQLException failure = state("08006");
        failure.setNextException(state("57P04"));
        assertThat(ReplicaFailure.of(failure, true)).isEqualTo(ReplicaFailure.CALLERS);
    }

    @Test
    void withoutAWordOfTheServerABrokenConnectionIsLost() {
        SQLException failure = new SQLException("I/O", null, new EOFException());
        assertThat(ReplicaFailure.of(failure, true)).isEqualTo(ReplicaFailure.LOST);
        assertThat(ReplicaFailure.of(failure, false)).isEqualTo(ReplicaFailure.CALLERS);
    }

    /** The driver finds the connection closed after the server has said why. */
    @Test
    void whatTheServerSaidComesFirst() {
        SQLException failure = state("40001");
        failure.setNextException(state("08006"));
        assertThat(ReplicaFailure.of(failure, true)).isEqualTo(ReplicaFailure.CONFLICT);
        SQLException lost = state("57P01");
        lost.setNextException(state("40001"));
        assertThat(ReplicaFailure.of(lost, true)).isEqualTo(ReplicaFailure.LOST);
    }

    @Test
    void aBatchTellsByItsCauseOrByWhatComesNext() {
        SQLException caused = new BatchUpdateException("batch", null, 0, new int[0], state("40001"));
        assertThat(ReplicaFailure.of(caused, false)).isEqualTo(ReplicaFailure.CONFLICT);
        SQLException next = new BatchUpdateException("batch", null, 0, new int[0], null);
        next.setNextException(state("40P01"));
        assertThat(ReplicaFailure.of(next, false)).isEqualTo(ReplicaFailure.CONFLICT);
    }

    @Test
    void aChainWithoutEndIsNotFollowedForEver() {
        SQLException failure = state("22012");
        failure.setNextException(new SQLException("next", "22012", failure));
        assertThat(ReplicaFailure.of(failure, false)).isEqualTo(ReplicaFailure.CALLERS);
    }
}
