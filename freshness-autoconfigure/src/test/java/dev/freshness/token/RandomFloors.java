/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.token;

import dev.freshness.session.Floor;
import dev.freshness.session.Floors;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Floors of all kinds, from a seed. */
final class RandomFloors {

    private final Random random;

    RandomFloors(long seed) {
        this.random = new Random(seed);
    }

    Floor floor(int histories) {
        return switch (this.random.nextInt(6)) {
            case 0 -> new Floor.Unknown(0, null, this.random.nextBoolean());
            case 1 ->
                new Floor.Unknown(
                        0,
                        new ServerIdentity(this.random.nextLong(), this.random.nextLong()),
                        this.random.nextBoolean());
            default -> at(histories);
        };
    }

    Floor at(int histories) {
        int history = this.random.nextInt(histories);
        return new Floor.At(new WalPosition(7_000_000_000_000_000_000L + history, 1 + history, lsn()));
    }

    private Lsn lsn() {
        return new Lsn(this.random.nextLong() >>> this.random.nextInt(Long.SIZE));
    }

    /** Up to so many databases, each with up to so many scopes. */
    Map<String, Floors> databases(int most, int scopes, int histories) {
        Map<String, Floors> databases = new LinkedHashMap<>();
        int count = this.random.nextInt(most + 1);
        for (int i = 0; i < count; i++) {
            Map<Long, Floor> scoped = new LinkedHashMap<>();
            int of = this.random.nextInt(scopes + 1);
            for (int j = 0; j < of; j++) {
                scoped.put(Floors.key("scope:" + this.random.nextInt()), floor(histories));
            }
            Floor general = this.random.nextInt(4) == 0 ? Floor.none() : floor(histories);
            databases.put(i == 0 ? "default" : "database-" + i, Floors.of(general, scoped));
        }
        return databases;
    }

    String text(int most) {
        int length = this.random.nextInt(most);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) this.random.nextInt(this.random.nextInt(8) == 0 ? 0x10000 : 0x7f));
        }
        return text.toString();
    }

    /** A text that is not the one given, mostly a little different. */
    String mutated(String token, String other) {
        String mutated = token;
        while (mutated.equals(token)) {
            int at = this.random.nextInt(token.length());
            mutated = switch (this.random.nextInt(8)) {
                case 0 -> token.substring(0, at);
                case 1 -> token.substring(at);
                case 2 -> token.substring(0, at) + text(9) + token.substring(at);
                case 3 -> token.substring(0, at) + other.substring(Math.min(at, other.length()));
                case 4 -> token + text(9);
                case 5 ->
                    token.substring(0, at)
                            + Character.toString(
                                    Character.isUpperCase(token.charAt(at))
                                            ? Character.toLowerCase(token.charAt(at))
                                            : Character.toUpperCase(token.charAt(at)))
                            + token.substring(at + 1);
                case 6 -> token.substring(0, at) + token.substring(Math.min(token.length(), at + 1));
                default ->
                    token.substring(0, at)
                            + (char) (token.charAt(at) ^ 1 << this.random.nextInt(6))
                            + token.substring(at + 1);
            };
        }
        return mutated;
    }

    boolean oneIn(int chances) {
        return this.random.nextInt(chances) == 0;
    }

    <T> T oneOf(List<T> list) {
        return list.get(this.random.nextInt(list.size()));
    }
}
