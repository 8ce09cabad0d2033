/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.token;

import dev.freshness.session.Floor;
import dev.freshness.session.Floors;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.WalPosition;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a token says as bytes. Confined to one thread.
 *
 * <p>Numbers are big-endian or, where they are mostly small, in groups of seven bits with the lowest first.
 */
final class TokenWriter {

    static final String DEFAULT_DATABASE = "default";

    static final int NONE = 0;

    static final int UNKNOWN = 1;

    static final int UNKNOWN_WITH_WRITER = 2;

    /** Added to an unknown floor that no sample resolves. */
    static final int UNRESOLVABLE = 2;

    /** Added to the index of the history that a position is of. */
    static final int AT = 16;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);

    byte[] toByteArray() {
        return this.bytes.toByteArray();
    }

    void octet(int value) {
        this.bytes.write(value);
    }

    void octets(byte[] value) {
        this.bytes.writeBytes(value);
    }

    void text(String value) {
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        varint(encoded.length);
        octets(encoded);
    }

    void fixed(long value, int size) {
        for (int i = size - 1; i >= 0; i--) {
            octet((int) (value >>> 8 * i) & 0xff);
        }
    }

    void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            octet((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        octet((int) rest);
    }

    /** All floors, after a list of the histories that their positions are of. */
    void floors(Map<String, Floors> floors) {
        List<WalPosition> histories = new ArrayList<>(1);
        for (Floors database : floors.values()) {
            note(histories, database.general());
            database.scopes().values().forEach(scoped -> note(histories, scoped));
        }
        octet(histories.size());
        for (WalPosition history : histories) {
            fixed(history.systemIdentifier(), Long.BYTES);
            varint(Integer.toUnsignedLong(history.timeline()));
        }
        octet(floors.size());
        floors.forEach((name, database) -> {
            text(name.equals(DEFAULT_DATABASE) ? "" : name);
            floor(database.general(), histories);
            octet(database.scopes().size());
            database.scopes().forEach((scope, scoped) -> {
                fixed(scope, Integer.BYTES);
                floor(scoped, histories);
            });
        });
    }

    private static void note(List<WalPosition> histories, Floor floor) {
        if (floor instanceof Floor.At at && indexOf(histories, at.position()) < 0) {
            histories.add(at.position());
        }
    }

    private static int indexOf(List<WalPosition> histories, WalPosition position) {
        for (int i = 0; i < histories.size(); i++) {
            if (histories.get(i).isOfSameHistory(position)) {
                return i;
            }
        }
        return -1;
    }

    private void floor(Floor floor, List<WalPosition> histories) {
        if (floor instanceof Floor.At at) {
            octet(AT + indexOf(histories, at.position()));
            varint(at.position().lsn().value());
        } else if (floor instanceof Floor.Unknown unknown) {
            unknown(unknown.writer(), unknown.resolvable() ? 0 : UNRESOLVABLE);
        } else {
            octet(NONE);
        }
    }

    private void unknown(@Nullable ServerIdentity writer, int unresolvable) {
        octet((writer == null ? UNKNOWN : UNKNOWN_WITH_WRITER) + unresolvable);
        if (writer != null) {
            fixed(writer.systemIdentifier(), Long.BYTES);
            fixed(writer.startedAtMicros(), Long.BYTES);
        }
    }
}
