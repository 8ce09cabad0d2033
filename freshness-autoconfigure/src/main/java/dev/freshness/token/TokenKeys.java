/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys that tokens are verified with, and the one that new tokens are signed with. To change keys, add the new one
 * everywhere, then sign with it, and remove the old one when its last token has expired.
 *
 * <p>Immutable and thread-safe. Never shows a secret.
 */
public final class TokenKeys {

    /** A secret has at least this many bytes in UTF-8. */
    public static final int SHORTEST_SECRET = 32;

    /** What a key's id looks like. */
    public static final String ID = "[A-Za-z0-9_-]{1,16}";

    private static final String ALGORITHM = "HmacSHA256";

    private final Map<String, Mac> macs;

    private final String signingKey;

    private final boolean random;

    private TokenKeys(Map<String, byte[]> secrets, String signingKey, boolean random) {
        Map<String, Mac> initialised = new LinkedHashMap<>();
        secrets.forEach((id, secret) -> initialised.put(id, mac(secret)));
        this.macs = Map.copyOf(initialised);
        this.signingKey = signingKey;
        this.random = random;
    }

    /**
     * A key that nobody else has: what it signs is an unknown key to other processes, and to this one after a restart.
     *
     * @return a new key
     */
    public static TokenKeys random() {
        SecureRandom source = new SecureRandom();
        byte[] secret = new byte[SHORTEST_SECRET];
        source.nextBytes(secret);
        byte[] id = new byte[6];
        source.nextBytes(id);
        String name = "r-" + Base64.getUrlEncoder().withoutPadding().encodeToString(id);
        return new TokenKeys(Map.of(name, secret), name, true);
    }

    /**
     * Keys that are shared by all who issue and accept the same tokens.
     *
     * @param secrets the secrets by key id
     * @param signingKey the id of the key to sign with
     * @return the keys
     * @throws IllegalArgumentException if an id is not one, if a secret is shorter than {@link #SHORTEST_SECRET}, or if
     *     there is no key to sign with; the message names the key and not its secret
     */
    public static TokenKeys of(Map<String, String> secrets, String signingKey) {
        Map<String, byte[]> bytes = new LinkedHashMap<>();
        secrets.forEach((id, secret) -> {
            if (!id.matches(ID)) {
                throw new IllegalArgumentException("'" + id + "' is not a key id");
            }
            byte[] encoded = secret.getBytes(StandardCharsets.UTF_8);
            if (encoded.length < SHORTEST_SECRET) {
                throw new IllegalArgumentException(
                        "The secret of key '" + id + "' has fewer than " + SHORTEST_SECRET + " bytes");
            }
            bytes.put(id, encoded);
        });
        if (!bytes.containsKey(signingKey)) {
            throw new IllegalArgumentException("There is no key '" + signingKey + "' to sign with");
        }
        return new TokenKeys(bytes, signingKey, false);
    }

    private static Mac mac(byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException ex) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, ex);
        }
    }

    /**
     * Whether nobody else has the key.
     *
     * @return true for {@link #random()}
     */
    public boolean isRandom() {
        return this.random;
    }

    String signingKey() {
        return this.signingKey;
    }

    /** A code for one use with a key; null if the key is not known. */
    @Nullable
    Mac mac(String id) {
        Mac initialised = this.macs.get(id);
        if (initialised == null) {
            return null;
        }
        try {
            // A Mac is not for several threads at once, and to initialise one costs more than to copy it.
            return (Mac) initialised.clone();
        } catch (CloneNotSupportedException ex) {
            throw new IllegalStateException("The provider's " + ALGORITHM + " cannot be copied", ex);
        }
    }

    @Override
    public String toString() {
        return "TokenKeys[" + this.signingKey + " of " + this.macs.size() + "]";
    }
}
