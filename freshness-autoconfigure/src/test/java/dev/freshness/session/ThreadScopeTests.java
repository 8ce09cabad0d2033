/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadScopeTests {

    private static final FreshnessContract EVENTUAL =
            new FreshnessContract(FreshnessMode.EVENTUAL, Duration.ofSeconds(1), Duration.ZERO, OnUnmet.WRITER, "a");

    private static final FreshnessContract AUTHORITATIVE = new FreshnessContract(
            FreshnessMode.AUTHORITATIVE_NOW, Duration.ofSeconds(1), Duration.ZERO, OnUnmet.WRITER, "b");

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(ThreadScope.current()).isNull();
    }

    @Test
    void contractsNestAndEnd() {
        try (ThreadScope outer = ThreadScope.open(AUTHORITATIVE)) {
            try (ThreadScope inner = ThreadScope.open(EVENTUAL)) {
                assertThat(inner.contract()).isSameAs(AUTHORITATIVE);
                assertThat(inner.session()).isSameAs(outer.session());
            }
            assertThat(ThreadScope.current()).isSameAs(outer);
        }
    }

    @Test
    void aContractOutsideOfASessionStartsUnknown() {
        try (ThreadScope scope = ThreadScope.open(EVENTUAL)) {
            assertThat(scope.session().floor("default")).isInstanceOf(Floor.Unknown.class);
        }
    }

    @Test
    void aNewSessionKeepsTheContractInForce() {
        try (ThreadScope outer = ThreadScope.open(AUTHORITATIVE);
                ThreadScope inner = ThreadScope.open(FreshnessSession.ofNewClient())) {
            assertThat(inner.contract()).isSameAs(AUTHORITATIVE);
            assertThat(inner.session().floor("default")).isSameAs(Floor.none());
            assertThat(outer.session()).isNotSameAs(inner.session());
        }
    }

    @Test
    void endsAlsoWhenAnInnerScopeWasLeftOpen() {
        ThreadScope outer = ThreadScope.open(EVENTUAL);
        ThreadScope.open(AUTHORITATIVE);
        outer.close();
        assertThat(ThreadScope.current()).isNull();
    }

    @Test
    void endsWhateverTheExit() {
        assertThatThrownBy(() -> {
                    try (ThreadScope scope = ThreadScope.open(EVENTUAL)) {
                        throw new IllegalStateException("thrown by the work");
                    }
                })
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void tellsAtItsEndThoseWhoAsked() {
        List<String> told = new ArrayList<>();
        Runnable forgotten = () -> told.add("forgotten");
        try (ThreadScope scope = ThreadScope.open(EVENTUAL)) {
            scope.onClose(() -> told.add("asked"));
            scope.onClose(forgotten);
            scope.forget(forgotten);
        }
        assertThat(told).containsExactly("asked");
    }

    @Test
    void writesAreOfTheInnermostObjectThatIsNamed() {
        try (ThreadScope session = ThreadScope.open(FreshnessSession.ofNewClient())) {
            assertThat(session.writes()).isEmpty();
            try (ThreadScope outer = ThreadScope.openForWritesOf("a")) {
                assertThat(outer.writes()).containsExactly("a");
                assertThat(outer.session()).isSameAs(session.session());
                try (ThreadScope contract = ThreadScope.open(EVENTUAL)) {
                    assertThat(contract.writes()).containsExactly("a");
                }
                try (ThreadScope inner = ThreadScope.openForWritesOf("b")) {
                    assertThat(inner.writes()).containsExactly("b");
                    assertThat(inner.contract()).isNull();
                }
                try (ThreadScope anything = ThreadScope.openForWritesOfAnything()) {
                    assertThat(anything.writes()).isEmpty();
                }
                assertThat(outer.writes()).containsExactly("a");
            }
        }
    }

    @Test
    void aTransactionIsOfAllThatWasNamedWithinTheScopeItBeganIn() {
        try (ThreadScope outer = ThreadScope.openForWritesOf("a")) {
            try (ThreadScope contract = ThreadScope.open(EVENTUAL)) {
                try (ThreadScope inner = ThreadScope.openForWritesOf("b")) {
                    assertThat(inner.writesOfTransaction()).containsExactly("b");
                    ThreadScope.openForWritesOf("c").close();
                }
                assertThat(contract.writesOfTransaction()).containsExactlyInAnyOrder("a", "b", "c");
            }
            assertThat(outer.writesOfTransaction()).containsExactlyInAnyOrder("a", "b", "c");
        }
    }

    @Test
    void aTransactionThatBeganUnderNoNameIsOfAnything() {
        try (ThreadScope session = ThreadScope.open(FreshnessSession.ofNewClient())) {
            ThreadScope.openForWritesOf("a").close();
            assertThat(session.writesOfTransaction()).isEmpty();
        }
    }

    @Test
    void aTransactionIsOfAnythingAsSoonAsSomethingInsideIs() {
        try (ThreadScope outer = ThreadScope.openForWritesOf("a")) {
            ThreadScope.openForWritesOfAnything().close();
            assertThat(outer.writesOfTransaction()).isEmpty();
            ThreadScope.openForWritesOf("b").close();
            assertThat(outer.writesOfTransaction()).isEmpty();
            assertThat(outer.writes()).containsExactly("a");
        }
    }

    @Test
    void aTransactionOfManyObjectsIsOfAnything() {
        try (ThreadScope outer = ThreadScope.openForWritesOf("0")) {
            for (int i = 1; i < Floors.MOST_SCOPES; i++) {
                ThreadScope.openForWritesOf("" + i).close();
            }
            assertThat(outer.writesOfTransaction()).hasSize(Floors.MOST_SCOPES);
            ThreadScope.openForWritesOf("one more").close();
            assertThat(outer.writesOfTransaction()).isEmpty();
        }
    }

    @Test
    void aTransactionThatOutlivesItsScopeIsOfAnything() {
        ThreadScope scope = ThreadScope.openForWritesOf("a");
        scope.close();
        assertThat(scope.writesOfTransaction()).isEmpty();
    }

    @Test
    void namingWhatIsWrittenKeepsTheContractAndTheReplica() {
        try (ThreadScope outer = ThreadScope.open(EVENTUAL)) {
            outer.stickTo("default", 1);
            try (ThreadScope inner = ThreadScope.openForWritesOf("a")) {
                assertThat(inner.contract()).isSameAs(EVENTUAL);
                assertThat(inner.stickyReplica("default")).isEqualTo(1);
            }
        }
    }
}
