/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.session.Floor;
import dev.freshness.session.Floors;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.token.TokenCodec;
import dev.freshness.token.TokenKeys;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import dev.freshness.web.HeaderTransport;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of tokens that are well signed, and yet do not fit the writer that runs. */
@ReplicatedPostgresTest
class TokensAgainstTheWriterTests {

    private static final String SECRET = "0123456789abcdef0123456789abcdef";

    private static Instance instance;

    private PrimaryObservation writer;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        // A wait would end with the very sample that replaces a token, and then a replica will do at once.
        instance = Instance.on(postgres, "freshness.wait-budget=0s");
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(instance.database(), 2);
        this.writer = instance.database().state().livePrimary(System.nanoTime());
    }

    private static String token(Floor floor, String keyId, String secret, String audience, LongSupplier clock) {
        TokenCodec codec = new TokenCodec(
                TokenKeys.of(Map.of(keyId, secret), keyId),
                audience,
                Duration.ofMinutes(10),
                Duration.ofSeconds(30),
                clock);
        return codec.encode(Map.of("default", Floors.of(floor)), 0, null);
    }

    private static String token(Floor floor) {
        return token(floor, "k1", SECRET, "shop", System::currentTimeMillis);
    }

    private Floor at(long systemIdentifier, int timeline, long ahead) {
        return new Floor.At(new WalPosition(
                systemIdentifier, timeline, new Lsn(this.writer.insert().value() + ahead)));
    }

    private Floor here(long ahead) {
        return at(this.writer.identity().systemIdentifier(), this.writer.timeline(), ahead);
    }

    /** The one read that brings a token, and the result that is counted for it. */
    private HttpResponse<String> readWith(String token, String result) {
        double before = instance.tokens(result);
        HttpResponse<String> response = WebClient.withHeader(token).get(instance, "/items/1");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(instance.tokens(result) - before).as(result).isEqualTo(1);
        System.out.printf(
                "%-16s read on %s, %s%n",
                result,
                WebClient.where(response).inRecovery() ? "a replica" : "the writer",
                replacement(response) == null ? "token stays" : "token replaced");
        return response;
    }

    private static @Nullable String replacement(HttpResponse<String> response) {
        return response.headers().firstValue(HeaderTransport.HEADER).orElse(null);
    }

    private void assertIgnored(String token, String result) {
        HttpResponse<String> response = readWith(token, result);
        assertThat(WebClient.where(response).inRecovery())
                .as("ran on a standby")
                .isTrue();
        assertThat(replacement(response)).isNull();
    }

    /** The read is the writer's, the token is replaced on its response, and with that a replica will do. */
    private void assertReplaced(String token, String result) {
        HttpResponse<String> response = readWith(token, result);
        assertThat(WebClient.where(response).inRecovery())
                .as("ran on a standby")
                .isFalse();
        String replacement = replacement(response);
        assertThat(replacement).isNotNull();
        ReplicationBed.awaitEligibleReplicas(instance.database(), 2);
        HttpResponse<String> next = WebClient.withHeader(replacement).get(instance, "/items/1");
        assertThat(WebClient.where(next).inRecovery()).as("ran on a standby").isTrue();
        assertThat(replacement(next)).isNull();
    }

    @Test
    void oneOfAPositionThatReplicasHaveIsMet() {
        HttpResponse<String> response = readWith(token(here(0)), "valid");
        assertThat(WebClient.where(response).inRecovery())
                .as("ran on a standby")
                .isTrue();
        assertThat(replacement(response)).isNull();
    }

    @Test
    void aForgedOneIsIgnored() {
        String forged = token(here(1L << 30), "k1", "f".repeat(32), "shop", System::currentTimeMillis);
        assertIgnored(forged, "bad-signature");
    }

    @Test
    void aCutOneIsIgnored() {
        byte[] whole = Base64.getUrlDecoder().decode(token(here(1L << 30)));
        byte[] cut = Arrays.copyOf(whole, whole.length - 3);
        assertIgnored(Base64.getUrlEncoder().withoutPadding().encodeToString(cut), "bad-signature");
        assertIgnored(token(here(1L << 30)).substring(0, 3), "malformed");
    }

    @Test
    void anOversizedOneIsIgnored() {
        assertIgnored("A".repeat(513), "too-long");
    }

    @Test
    void oneOfAKeyThatIsNoLongerKnownIsIgnored() {
        assertIgnored(token(here(1L << 30), "k0", SECRET, "shop", System::currentTimeMillis), "unknown-key");
    }

    @Test
    void oneForOthersIsIgnored() {
        assertIgnored(token(here(1L << 30), "k1", SECRET, "bank", System::currentTimeMillis), "other-audience");
    }

    @Test
    void oneIssuedInTheFutureIsIgnored() {
        long later = System.currentTimeMillis() + Duration.ofMinutes(1).toMillis();
        assertIgnored(token(here(1L << 30), "k1", SECRET, "shop", () -> later), "from-the-future");
    }

    @Test
    void anExpiredOneIsIgnored() {
        long earlier = System.currentTimeMillis() - Duration.ofMinutes(11).toMillis();
        assertIgnored(token(here(1L << 30), "k1", SECRET, "shop", () -> earlier), "expired");
    }

    @Test
    void onesPositionOnAnotherClusterIsReplaced() {
        assertReplaced(token(at(42, this.writer.timeline(), 0)), "other-cluster");
    }

    @Test
    void onesPositionOnAnotherTimelineIsReplaced() {
        assertReplaced(
                token(at(this.writer.identity().systemIdentifier(), this.writer.timeline() + 7, 0)), "other-history");
    }

    @Test
    void onesPositionAheadOfTheWriterIsReplaced() {
        assertReplaced(token(here(1L << 40)), "beyond-writer");
    }

    @Test
    void oneThatDoesNotKnowIsReplacedWhileTheServerOfItsWriteRuns() {
        assertReplaced(token(new Floor.Unknown(0, this.writer.identity(), true)), "valid");
    }

    @Test
    void oneThatDoesNotKnowStaysOnceTheServerOfItsWriteIsGone() {
        ServerIdentity gone = new ServerIdentity(
                this.writer.identity().systemIdentifier(),
                this.writer.identity().startedAtMicros() - 1);
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> response = readWith(token(new Floor.Unknown(0, gone, true)), "valid");
            assertThat(WebClient.where(response).inRecovery())
                    .as("ran on a standby")
                    .isFalse();
            assertThat(replacement(response)).isNull();
        }
        assertThat(instance.decisions("history-changed")).isEqualTo(2);
    }
}
