/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.token;

import dev.freshness.session.Floor;
import dev.freshness.session.Floors;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * Issues and verifies tokens. A token is a text of at most {@link #MAX_LENGTH} characters that fit into URLs, headers and
 * cookies as they are: version, key id, times, audience, principal and floors, signed by HMAC-SHA256.
 *
 * <p>Guarantees that verifying ends with a result for any text, costs no more for a longer one, takes nothing for granted
 * that is not signed, and compares signatures in constant time.
 *
 * <p>What it does when it cannot know: what does not fit into a token is said to be unknown. A token counts until both its
 * own expiry and this verifier's time to live since it was issued are over, since instances may be told different ones.
 *
 * <p>Thread-safe.
 */
public final class TokenCodec {

    /** Longest token, in characters. */
    public static final int MAX_LENGTH = 512;

    private static final int MAX_BYTES = MAX_LENGTH / 4 * 3;

    private static final int VERSION = 1;

    private static final int SIGNATURE = 32;

    private static final int TAG = 8;

    private static final int MILLIS = 6;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private final TokenKeys keys;

    private final byte[] audience;

    private final long ttlMillis;

    private final long clockAllowanceMillis;

    private final LongSupplier clock;

    /**
     * Creates the codec.
     *
     * @param keys the keys
     * @param audience who issues and accepts the same tokens
     * @param ttl how long a token counts
     * @param clockAllowance how far the clocks of those who issue and accept may differ
     * @param clock the time in milliseconds since 1970
     */
    public TokenCodec(TokenKeys keys, String audience, Duration ttl, Duration clockAllowance, LongSupplier clock) {
        this.keys = keys;
        this.audience = Arrays.copyOf(sha256(audience), TAG);
        this.ttlMillis = ttl.toMillis();
        this.clockAllowanceMillis = clockAllowance.toMillis();
        this.clock = clock;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException ex) {
            throw new IllegalStateException("Every Java platform has SHA-256", ex);
        }
    }

    /**
     * Issues a token.
     *
     * @param floors what the client's reads owe, by database
     * @param cohort the client's, from 0 to 99
     * @param principal whom to bind the token to, null for anybody
     * @return the token
     */
    public String encode(Map<String, Floors> floors, int cohort, @Nullable String principal) {
        byte[] head = head(principal);
        int room = MAX_BYTES - SIGNATURE - head.length - 1;
        Map<String, Floors> said = new LinkedHashMap<>(floors);
        byte[] body = body(said);
        boolean left = false;
        while (body.length > room) {
            left |= !shorten(said);
            body = body(said);
        }
        byte[] text = new byte[head.length + 1 + body.length + SIGNATURE];
        System.arraycopy(head, 0, text, 0, head.length);
        text[head.length] = (byte) (cohort << 1 | (left ? 1 : 0));
        System.arraycopy(body, 0, text, head.length + 1, body.length);
        int signed = text.length - SIGNATURE;
        Mac mac = Objects.requireNonNull(this.keys.mac(this.keys.signingKey()));
        mac.update(text, 0, signed);
        System.arraycopy(mac.doFinal(), 0, text, signed, SIGNATURE);
        return ENCODER.encodeToString(text);
    }

    private byte[] head(@Nullable String principal) {
        TokenWriter writer = new TokenWriter();
        writer.octet(VERSION);
        writer.text(this.keys.signingKey());
        writer.fixed(this.clock.getAsLong(), MILLIS);
        writer.varint(this.ttlMillis);
        writer.octets(this.audience);
        writer.octet(principal == null ? 0 : 1);
        if (principal != null) {
            writer.octets(tag(this.keys.signingKey(), principal));
        }
        return writer.toByteArray();
    }

    private static byte[] body(Map<String, Floors> floors) {
        TokenWriter writer = new TokenWriter();
        writer.floors(floors);
        return writer.toByteArray();
    }

    /**
     * Leaves the oldest scope of the database with most of them to its general floor or, where there are no scopes, leaves a
     * database out.
     *
     * @return false if a database was left out
     */
    private static boolean shorten(Map<String, Floors> floors) {
        String longest = "";
        int most = 0;
        for (Map.Entry<String, Floors> database : floors.entrySet()) {
            int scopes = database.getValue().scopes().size();
            if (scopes >= most) {
                most = scopes;
                longest = database.getKey();
            }
        }
        if (most == 0) {
            floors.remove(longest);
            return false;
        }
        Floors shortened = Objects.requireNonNull(floors.get(longest));
        Map<Long, Floor> scopes = new LinkedHashMap<>(shortened.scopes());
        Map.Entry<Long, Floor> oldest = scopes.entrySet().iterator().next();
        scopes.remove(oldest.getKey());
        floors.put(longest, Floors.of(shortened.general().and(oldest.getValue()), scopes));
        return true;
    }

    /** What stands for a principal: nobody without the key can tell whom. */
    private byte[] tag(String keyId, String principal) {
        Mac mac = Objects.requireNonNull(this.keys.mac(keyId));
        mac.update((byte) 0);
        return Arrays.copyOf(mac.doFinal(principal.getBytes(StandardCharsets.UTF_8)), TAG);
    }

    /**
     * Verifies a token.
     *
     * @param text any text
     * @param principal who brought it, null for nobody in particular; a token that is bound to nobody counts for anybody
     * @param now {@link System#nanoTime()}
     * @return what it says, or why it does not count; never an exception
     */
    public TokenVerification verify(String text, @Nullable String principal, long now) {
        if (text.length() > MAX_LENGTH) {
            return TokenVerification.rejected(TokenResult.TOO_LONG);
        }
        byte[] bytes = bytes(text);
        if (bytes == null || bytes.length < 2) {
            return TokenVerification.rejected(TokenResult.MALFORMED);
        }
        if (bytes[0] != VERSION) {
            return TokenVerification.rejected(TokenResult.UNKNOWN_VERSION);
        }
        int signed = bytes.length - SIGNATURE;
        int idEnd = 2 + bytes[1];
        if (bytes[1] <= 0 || idEnd > signed) {
            return TokenVerification.rejected(TokenResult.MALFORMED);
        }
        String keyId = new String(bytes, 2, bytes[1], StandardCharsets.UTF_8);
        Mac mac = this.keys.mac(keyId);
        if (mac == null) {
            return TokenVerification.rejected(TokenResult.UNKNOWN_KEY);
        }
        mac.update(bytes, 0, signed);
        if (!MessageDigest.isEqual(mac.doFinal(), Arrays.copyOfRange(bytes, signed, bytes.length))) {
            return TokenVerification.rejected(TokenResult.BAD_SIGNATURE);
        }
        try {
            return read(new TokenReader(ByteBuffer.wrap(bytes, idEnd, signed - idEnd)), keyId, principal, now);
        } catch (BufferUnderflowException | IllegalArgumentException ex) {
            // Signed with our key, but of another form: not one of ours, or of a version that forgot to say so.
            return TokenVerification.rejected(TokenResult.MALFORMED);
        }
    }

    /** The bytes of a text in the only form that this class writes; null for any other text. */
    private static byte @Nullable [] bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_') {
                return null;
            }
        }
        if (text.length() % 4 == 1) {
            return null;
        }
        byte[] bytes = DECODER.decode(text);
        // Bits that are left over make several texts of the same bytes.
        return ENCODER.encodeToString(bytes).equals(text) ? bytes : null;
    }

    private TokenVerification read(TokenReader reader, String keyId, @Nullable String principal, long now) {
        long issuedAt = reader.fixed(MILLIS);
        long life = reader.varint();
        boolean forUs = MessageDigest.isEqual(reader.octets(TAG), this.audience);
        byte[] boundTo = reader.octet() == 0 ? null : reader.octets(TAG);
        int others = reader.octet();
        Map<String, Floors> floors = reader.floors(now);
        if (!reader.isAtEnd()) {
            return TokenVerification.rejected(TokenResult.MALFORMED);
        }
        if (!forUs) {
            return TokenVerification.rejected(TokenResult.OTHER_AUDIENCE);
        }
        if (boundTo != null && (principal == null || !MessageDigest.isEqual(boundTo, tag(keyId, principal)))) {
            return TokenVerification.rejected(TokenResult.OTHER_PRINCIPAL);
        }
        long age = this.clock.getAsLong() - issuedAt;
        if (age < -this.clockAllowanceMillis) {
            return TokenVerification.rejected(TokenResult.FROM_THE_FUTURE);
        }
        if (age > life && age > this.ttlMillis) {
            return TokenVerification.rejected(TokenResult.EXPIRED);
        }
        return new TokenVerification(
                TokenResult.VALID,
                new FreshnessToken(issuedAt, issuedAt + life, floors, (others & 1) != 0, others >>> 1));
    }
}
