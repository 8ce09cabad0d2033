/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreshnessContractTests {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void joinTakesTheStricterFieldByField() {
        FreshnessContract outer =
                new FreshnessContract(FreshnessMode.EVENTUAL, SECOND, SECOND, OnUnmet.REJECT, "Outer.load");
        FreshnessContract inner =
                new FreshnessContract(FreshnessMode.READ_YOUR_WRITES, MINUTE, SECOND, OnUnmet.WRITER, "Inner.load");
        assertThat(inner.joinedTo(outer))
                .isEqualTo(new FreshnessContract(
                        FreshnessMode.READ_YOUR_WRITES,
                        SECOND,
                        SECOND,
                        OnUnmet.REJECT,
                        "Inner.load within Outer.load"));
    }

    @Test
    void joinKeepsTheContractThatIsStricterInEveryField() {
        FreshnessContract weak =
                new FreshnessContract(FreshnessMode.EVENTUAL, MINUTE, SECOND, OnUnmet.STALE, "Weak.load");
        FreshnessContract strict =
                new FreshnessContract(FreshnessMode.READ_YOUR_WRITES, SECOND, SECOND, OnUnmet.REJECT, "Strict.load");
        assertThat(weak.joinedTo(strict)).isSameAs(strict);
        assertThat(strict.joinedTo(weak)).isSameAs(strict);
    }

    @Test
    void theWriterNowBeatsAll() {
        FreshnessContract authoritative =
                new FreshnessContract(FreshnessMode.AUTHORITATIVE_NOW, MINUTE, SECOND, OnUnmet.WRITER, "A.load");
        FreshnessContract rejecting =
                new FreshnessContract(FreshnessMode.EVENTUAL, SECOND, SECOND, OnUnmet.REJECT, "B.load");
        assertThat(authoritative.joinedTo(rejecting)).isSameAs(authoritative);
        assertThat(rejecting.joinedTo(authoritative)).isSameAs(authoritative);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT10000000000000S"})
    void refusesBoundsThatBoundNothing(Duration bound) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FreshnessContract(FreshnessMode.EVENTUAL, bound, SECOND, OnUnmet.WRITER, "x"))
                .withMessageContaining("maxStaleness");
    }

    @Test
    void allowsStaleOnlyWithEventual() {
        FreshnessContract eventual = new FreshnessContract(FreshnessMode.EVENTUAL, SECOND, SECOND, OnUnmet.WRITER, "x");
        assertThat(eventual.withOnUnmet(OnUnmet.STALE).onUnmet()).isEqualTo(OnUnmet.STALE);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new FreshnessContract(FreshnessMode.READ_YOUR_WRITES, SECOND, SECOND, OnUnmet.STALE, "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> eventual.withOnUnmet(OnUnmet.DEFAULT));
    }

    private static FreshnessContract of(FreshnessMode mode, String... scopes) {
        return new FreshnessContract(mode, MINUTE, SECOND, OnUnmet.WRITER, "x").withScopes(scopes);
    }

    private static FreshnessContract readYourWrites(String... scopes) {
        return of(FreshnessMode.READ_YOUR_WRITES, scopes);
    }

    @Test
    void joinedScopesAreBothOwedTo() {
        assertThat(readYourWrites("a").joinedTo(readYourWrites("b")).scopes()).containsExactlyInAnyOrder("a", "b");
        FreshnessContract both = readYourWrites("a", "b");
        assertThat(both.joinedTo(readYourWrites("a"))).isSameAs(both);
        assertThat(readYourWrites("a").joinedTo(both)).isSameAs(both);
    }

    @Test
    void readYourWritesOfEverythingIsStricterThanOfOneObject() {
        FreshnessContract everything = readYourWrites();
        assertThat(readYourWrites("a").joinedTo(everything)).isSameAs(everything);
        assertThat(everything.joinedTo(readYourWrites("a"))).isSameAs(everything);
    }

    @Test
    void whatOwesToNoWritesDoesNotWidenAScope() {
        FreshnessContract scoped = readYourWrites("a");
        FreshnessContract eventual = of(FreshnessMode.EVENTUAL);
        assertThat(scoped.joinedTo(eventual)).isSameAs(scoped);
        assertThat(eventual.joinedTo(scoped)).isSameAs(scoped);
        FreshnessContract shorter = eventual.withMaxStaleness(SECOND);
        assertThat(scoped.joinedTo(shorter).scopes()).containsExactly("a");
        assertThat(shorter.joinedTo(scoped).scopes()).containsExactly("a");
        assertThat(shorter.joinedTo(scoped).mode()).isEqualTo(FreshnessMode.READ_YOUR_WRITES);
    }

    @Test
    void theScopeOfWhatOwesToNoWritesDoesNotNarrowWhatDoes() {
        FreshnessContract everything = readYourWrites();
        FreshnessContract eventual = of(FreshnessMode.EVENTUAL, "a").withMaxStaleness(SECOND);
        assertThat(everything.joinedTo(eventual).scopes()).isEmpty();
        assertThat(eventual.joinedTo(everything).scopes()).isEmpty();
        assertThat(readYourWrites("b").joinedTo(eventual).scopes()).containsExactly("b");
    }
}
