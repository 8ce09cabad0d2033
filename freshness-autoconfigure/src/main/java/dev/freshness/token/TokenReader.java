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
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what {@link TokenWriter} wrote. Confined to one thread.
 *
 * <p>Throws {@link BufferUnderflowException} where bytes are missing and {@link IllegalArgumentException} where they are
 * not as written.
 */
final class TokenReader {

    private static final int LONGEST_VARINT = 10;

    private final ByteBuffer bytes;

    TokenReader(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    boolean isAtEnd() {
        return !this.bytes.hasRemaining();
    }

    int octet() {
        return this.bytes.get() & 0xff;
    }

    byte[] octets(int count) {
        if (count > this.bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] value = new byte[count];
        this.bytes.get(value);
        return value;
    }

    String text() {
        long length = varint();
        if (length < 0 || length > this.bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        return new String(octets((int) length), StandardCharsets.UTF_8);
    }

    long fixed(int size) {
        long value = 0;
        for (int i = 0; i < size; i++) {
            value = value << 8 | octet();
        }
        return value;
    }

    long varint() {
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            int next = octet();
            value |= (long) (next & 0x7f) << 7 * i;
            if ((next & 0x80) == 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("A number without an end");
    }

    /**
     * All floors.
     *
     * @param now when unknown floors arrived
     */
    Map<String, Floors> floors(long now) {
        int count = octet();
        List<WalPosition> histories = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long systemIdentifier = fixed(Long.BYTES);
            histories.add(new WalPosition(systemIdentifier, (int) varint(), Lsn.ZERO));
        }
        int databases = octet();
        Map<String, Floors> floors = new LinkedHashMap<>();
        for (int i = 0; i < databases; i++) {
            String name = text();
            Floor general = floor(histories, now);
            int scopes = octet();
            Map<Long, Floor> scoped = new LinkedHashMap<>();
            for (int j = 0; j < scopes; j++) {
                long scope = fixed(Integer.BYTES);
                scoped.put(scope, floor(histories, now));
            }
            floors.put(name.isEmpty() ? TokenWriter.DEFAULT_DATABASE : name, Floors.of(general, scoped));
        }
        return floors;
    }

    private Floor floor(List<WalPosition> histories, long now) {
        int kind = octet();
        if (kind >= TokenWriter.AT) {
            int index = kind - TokenWriter.AT;
            if (index >= histories.size()) {
                throw new IllegalArgumentException("A position of no history");
            }
            WalPosition history = histories.get(index);
            return new Floor.At(new WalPosition(history.systemIdentifier(), history.timeline(), new Lsn(varint())));
        }
        return switch (kind) {
            case TokenWriter.NONE -> Floor.none();
            case TokenWriter.UNKNOWN -> new Floor.Unknown(now, null, true);
            case TokenWriter.UNKNOWN + TokenWriter.UNRESOLVABLE -> new Floor.Unknown(now, null, false);
            case TokenWriter.UNKNOWN_WITH_WRITER -> new Floor.Unknown(now, writer(), true);
            case TokenWriter.UNKNOWN_WITH_WRITER + TokenWriter.UNRESOLVABLE -> new Floor.Unknown(now, writer(), false);
            default -> throw new IllegalArgumentException("Not a floor");
        };
    }

    private ServerIdentity writer() {
        long systemIdentifier = fixed(Long.BYTES);
        return new ServerIdentity(systemIdentifier, fixed(Long.BYTES));
    }
}
