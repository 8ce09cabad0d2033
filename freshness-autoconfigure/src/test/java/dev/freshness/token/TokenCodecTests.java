/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.freshness.session.Floor;
import dev.freshness.session.Floors;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenCodecTests {

    private static final String OLD = "an old secret of thirty-two bytes";

    private static final String NEW = "a new secret of thirty-two bytes.";

    private static final long NOW = 1_800_000_000_000L;

    private static final int COHORT = 99;

    private static final long TTL = Duration.ofMinutes(10).toMillis();

    private static final long ALLOWANCE = Duration.ofSeconds(30).toMillis();

    private final AtomicLong clock = new AtomicLong(NOW);

    private final TokenCodec codec = codec(TokenKeys.of(Map.of("k1", OLD), "k1"), "shop", Duration.ofMinutes(10));

    private TokenCodec codec(TokenKeys keys, String audience, Duration ttl) {
        return new TokenCodec(keys, audience, ttl, Duration.ofSeconds(30), this.clock::get);
    }

    private static Map<String, Floors> floors(long lsn) {
        return Map.of("default", Floors.of(new Floor.At(new WalPosition(42, 3, new Lsn(lsn)))));
    }

    private TokenResult result(String text) {
        return this.codec.verify(text, null, 0).result();
    }

    private static Map<String, Floors> at(Map<String, Floors> floors, long moment) {
        Map<String, Floors> arrived = new LinkedHashMap<>();
        floors.forEach((database, of) -> {
            Map<Long, Floor> scopes = new LinkedHashMap<>();
            of.scopes().forEach((scope, floor) -> scopes.put(scope, at(floor, moment)));
            arrived.put(database, Floors.of(at(of.general(), moment), scopes));
        });
        return arrived;
    }

    private static Floor at(Floor floor, long moment) {
        return floor instanceof Floor.Unknown unknown
                ? new Floor.Unknown(moment, unknown.writer(), unknown.resolvable())
                : floor;
    }

    @Test
    void whatIsEncodedIsWhatIsVerified() {
        RandomFloors random = new RandomFloors(20261204);
        for (int i = 0; i < 20_000; i++) {
            Map<String, Floors> floors = random.databases(2, 3, 2);
            String principal = random.oneIn(2) ? null : random.text(20);
            String token = this.codec.encode(floors, COHORT, principal);
            assertThat(token).matches("[A-Za-z0-9_-]{1,512}");

            TokenVerification verification = this.codec.verify(token, principal, i);
            assertThat(verification.result()).isEqualTo(TokenResult.VALID);
            assertThat(verification.token())
                    .isEqualTo(new FreshnessToken(NOW, NOW + TTL, at(floors, i), false, COHORT));
        }
    }

    /** Merged or left out, no reader owes less than before. */
    @Test
    void aTokenThatIsTooSmallForAllSaysMoreAndNeverLess() {
        RandomFloors random = new RandomFloors(20261205);
        int leftOut = 0;
        for (int i = 0; i < 5_000; i++) {
            Map<String, Floors> floors = random.databases(random.oneIn(2) ? 4 : 20, Floors.MOST_SCOPES, 3);
            String token = this.codec.encode(floors, COHORT, null);
            assertThat(token.length()).isLessThanOrEqualTo(TokenCodec.MAX_LENGTH);
            FreshnessToken said = this.codec.verify(token, null, 0).token();
            assertThat(said).isNotNull();
            floors.forEach((database, owed) -> {
                Floors now = said.floors().get(database);
                if (now == null) {
                    assertThat(said.othersUnknown()).isTrue();
                    return;
                }
                assertIncludes(now.all(), owed.all());
                for (int scope = 0; scope < owed.scopes().size(); scope++) {
                    Long key = List.copyOf(owed.scopes().keySet()).get(scope);
                    Floor before = owed.general().and(owed.scopes().get(key));
                    Floor scoped = now.scopes().get(key);
                    assertIncludes(
                            scoped == null ? now.general() : now.general().and(scoped), before);
                }
                assertIncludes(now.general(), owed.general());
            });
            leftOut += said.othersUnknown() ? 1 : 0;
        }
        assertThat(leftOut).isPositive();
    }

    private static void assertIncludes(Floor now, Floor before) {
        if (now instanceof Floor.Unknown || before instanceof Floor.None) {
            return;
        }
        assertThat(before).isInstanceOf(Floor.At.class);
        assertThat(((Floor.At) now).position().includes(((Floor.At) before).position()))
                .isTrue();
    }

    @Test
    void sizes() {
        for (int databases : new int[] {1, 3}) {
            for (int scopes : new int[] {0, Floors.MOST_SCOPES}) {
                Map<String, Floors> floors = new LinkedHashMap<>();
                for (int i = 0; i < databases; i++) {
                    Map<Long, Floor> scoped = new LinkedHashMap<>();
                    for (int j = 0; j < scopes; j++) {
                        scoped.put(Floors.key("profile:" + i + j), position(0x1234_5678_9abcL + j));
                    }
                    floors.put(i == 0 ? "default" : "orders-" + i, Floors.of(position(0x1234_5678_9abcL), scoped));
                }
                String token = this.codec.encode(floors, COHORT, null);
                System.out.printf(
                        "token of %d database(s) with %d scopes each: %d characters%n",
                        databases, scopes, token.length());
                FreshnessToken said = this.codec.verify(token, null, 0).token();
                assertThat(said).isNotNull();
                boolean fits = databases * scopes <= Floors.MOST_SCOPES;
                assertThat(said.floors().equals(floors))
                        .as("nothing had to be merged")
                        .isEqualTo(fits);
                assertThat(said.othersUnknown()).isFalse();
            }
        }
    }

    private static Floor position(long lsn) {
        return new Floor.At(new WalPosition(7_345_678_901_234_567_890L, 1, new Lsn(lsn)));
    }

    @Test
    void anyChangeIsRejected() {
        byte[] token = Base64.getUrlDecoder().decode(this.codec.encode(floors(1), COHORT, null));
        for (int i = 0; i < token.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] changed = token.clone();
                changed[i] ^= (byte) (1 << bit);
                assertThat(result(encoded(changed)))
                        .as("byte %d, bit %d", i, bit)
                        .isNotEqualTo(TokenResult.VALID);
            }
            assertThat(result(encoded(Arrays.copyOf(token, i)))).isNotEqualTo(TokenResult.VALID);
        }
        assertThat(result(encoded(Arrays.copyOf(token, token.length + 1)))).isEqualTo(TokenResult.BAD_SIGNATURE);
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Test
    void thereIsOneTextForAToken() {
        for (String principal : new String[] {null, "a"}) {
            for (Map<String, Floors> floors : List.of(floors(1), floors(1 << 20), Map.<String, Floors>of())) {
                String token = this.codec.encode(floors, COHORT, principal);
                assertThat(result(token + "=")).isEqualTo(TokenResult.MALFORMED);
                assertThat(result(token + "\n")).isEqualTo(TokenResult.MALFORMED);
                assertThat(result(" " + token)).isEqualTo(TokenResult.MALFORMED);
                String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
                String body = token.substring(0, token.length() - 1);
                for (int i = 0; i < alphabet.length(); i++) {
                    char last = alphabet.charAt(i);
                    boolean same = token.equals(body + last);
                    assertThat(this.codec.verify(body + last, principal, 0).result() == TokenResult.VALID)
                            .isEqualTo(same);
                }
            }
        }
    }

    @Test
    void whatIsNoTokenIsNamed() {
        assertThat(result("")).isEqualTo(TokenResult.MALFORMED);
        assertThat(result("a")).isEqualTo(TokenResult.MALFORMED);
        assertThat(result("not a token")).isEqualTo(TokenResult.MALFORMED);
        assertThat(result("\0")).isEqualTo(TokenResult.MALFORMED);
        assertThat(result("\ud800")).isEqualTo(TokenResult.MALFORMED);
        assertThat(result("A".repeat(TokenCodec.MAX_LENGTH))).isEqualTo(TokenResult.UNKNOWN_VERSION);
        assertThat(result("A".repeat(TokenCodec.MAX_LENGTH + 1))).isEqualTo(TokenResult.TOO_LONG);
        assertThat(result("x".repeat(64 * 1024))).isEqualTo(TokenResult.TOO_LONG);
        assertThat(result(encoded(new byte[] {2, 1, 'k'}))).isEqualTo(TokenResult.UNKNOWN_VERSION);
        assertThat(result(encoded(new byte[] {1, 100, 'k'}))).isEqualTo(TokenResult.MALFORMED);
        assertThat(result(encoded(new byte[] {1, -1, 'k'}))).isEqualTo(TokenResult.MALFORMED);
        assertThat(result(encoded(new byte[] {1, 0, 'k'}))).isEqualTo(TokenResult.MALFORMED);
    }

    @Test
    void aKeyIsChangedInThreeSteps() {
        TokenCodec before = this.codec;
        TokenCodec added = codec(TokenKeys.of(Map.of("k1", OLD, "k2", NEW), "k1"), "shop", Duration.ofMinutes(10));
        TokenCodec switched = codec(TokenKeys.of(Map.of("k1", OLD, "k2", NEW), "k2"), "shop", Duration.ofMinutes(10));
        TokenCodec removed = codec(TokenKeys.of(Map.of("k2", NEW), "k2"), "shop", Duration.ofMinutes(10));
        List<TokenCodec> all = List.of(before, added, switched, removed);
        for (int i = 0; i < all.size(); i++) {
            String token = all.get(i).encode(floors(1), COHORT, null);
            // Instances are one step apart while the change is rolled out.
            for (int j = Math.max(0, i - 1); j <= Math.min(all.size() - 1, i + 1); j++) {
                assertThat(all.get(j).verify(token, null, 0).result())
                        .as("%d by %d", i, j)
                        .isEqualTo(i == 1 && j == 0 || i != 1 || j < 3 ? TokenResult.VALID : TokenResult.UNKNOWN_KEY);
            }
        }
        assertThat(removed.verify(before.encode(floors(1), COHORT, null), null, 0)
                        .result())
                .isEqualTo(TokenResult.UNKNOWN_KEY);
        TokenCodec random = codec(TokenKeys.random(), "shop", Duration.ofMinutes(10));
        assertThat(result(random.encode(floors(1), COHORT, null))).isEqualTo(TokenResult.UNKNOWN_KEY);
        TokenCodec forger = codec(TokenKeys.of(Map.of("k1", NEW), "k1"), "shop", Duration.ofMinutes(10));
        assertThat(result(forger.encode(floors(1), COHORT, null))).isEqualTo(TokenResult.BAD_SIGNATURE);
    }

    @Test
    void othersTokensDoNotCount() {
        TokenCodec others = codec(TokenKeys.of(Map.of("k1", OLD), "k1"), "bank", Duration.ofMinutes(10));
        assertThat(result(others.encode(floors(1), COHORT, null))).isEqualTo(TokenResult.OTHER_AUDIENCE);
    }

    @Test
    void aTokenCountsForWhomItIsBoundTo() {
        String bound = this.codec.encode(floors(1), COHORT, "ann");
        assertThat(this.codec.verify(bound, "ann", 0).result()).isEqualTo(TokenResult.VALID);
        assertThat(this.codec.verify(bound, "bob", 0).result()).isEqualTo(TokenResult.OTHER_PRINCIPAL);
        assertThat(this.codec.verify(bound, null, 0).result()).isEqualTo(TokenResult.OTHER_PRINCIPAL);
        String unbound = this.codec.encode(floors(1), COHORT, null);
        assertThat(this.codec.verify(unbound, "ann", 0).result()).isEqualTo(TokenResult.VALID);
    }

    @Test
    void aTokenCountsForItsTime() {
        String token = this.codec.encode(floors(1), COHORT, null);
        this.clock.set(NOW + TTL);
        assertThat(result(token)).isEqualTo(TokenResult.VALID);
        this.clock.set(NOW + TTL + 1);
        assertThat(result(token)).isEqualTo(TokenResult.EXPIRED);
        this.clock.set(NOW - ALLOWANCE);
        assertThat(result(token)).isEqualTo(TokenResult.VALID);
        this.clock.set(NOW - ALLOWANCE - 1);
        assertThat(result(token)).isEqualTo(TokenResult.FROM_THE_FUTURE);
    }

    /** While a longer or shorter life is rolled out, reads without a floor go by either. */
    @Test
    void theLongerOfTwoLivesCounts() {
        TokenCodec longer = codec(TokenKeys.of(Map.of("k1", OLD), "k1"), "shop", Duration.ofMinutes(20));
        String token = this.codec.encode(floors(1), COHORT, null);
        String longerToken = longer.encode(floors(1), COHORT, null);
        this.clock.set(NOW + 2 * TTL);
        assertThat(longer.verify(token, null, 0).result()).isEqualTo(TokenResult.VALID);
        assertThat(result(longerToken)).isEqualTo(TokenResult.VALID);
        this.clock.set(NOW + 2 * TTL + 1);
        assertThat(longer.verify(token, null, 0).result()).isEqualTo(TokenResult.EXPIRED);
        assertThat(result(longerToken)).isEqualTo(TokenResult.EXPIRED);
    }

    @Test
    void keysTellNoSecret() {
        assertThat(TokenKeys.of(Map.of("k1", OLD), "k1").toString()).doesNotContain("secret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenKeys.of(Map.of("k1", "too short"), "k1"))
                .withMessageContaining("k1")
                .withMessageNotContaining("too short");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenKeys.of(Map.of("a b", OLD), "a b"))
                .withMessageNotContaining(OLD);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenKeys.of(Map.of("k1", OLD), "k2"))
                .withMessageContaining("k2")
                .withMessageNotContaining(OLD);
    }

    /** Random and changed texts with valid ones in between. */
    @Test
    void ofAMillionTextsExactlyTheValidOnesCount() {
        RandomFloors random = new RandomFloors(20261206);
        List<String> valid = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            valid.add(this.codec.encode(random.databases(3, 4, 2), COHORT, null));
        }
        Set<String> known = Set.copyOf(valid);
        Map<TokenResult, Integer> results = new EnumMap<>(TokenResult.class);
        int accepted = 0;
        int sent = 0;
        for (int i = 0; i < 1_000_000; i++) {
            boolean isValid = random.oneIn(10);
            String text = isValid
                    ? random.oneOf(valid)
                    : random.oneIn(4) ? random.text(700) : random.mutated(random.oneOf(valid), random.oneOf(valid));
            boolean expected = known.contains(text);
            TokenResult result = result(text);
            results.merge(result, 1, Integer::sum);
            assertThat(result == TokenResult.VALID).as(text).isEqualTo(expected);
            sent += expected ? 1 : 0;
            accepted += result == TokenResult.VALID ? 1 : 0;
        }
        System.out.printf("1000000 texts, %d valid, %d accepted: %s%n", sent, accepted, results);
    }
}
