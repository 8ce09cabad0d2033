/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FloorsTests {

    private static final ServerIdentity WRITER = new ServerIdentity(7, 1);

    private static final Set<String> EVERYTHING = Set.of();

    private static Floor.At at(long lsn) {
        return new Floor.At(position(lsn));
    }

    private static WalPosition position(long lsn) {
        return new WalPosition(7, 1, new Lsn(lsn));
    }

    private static Floors raised(Floors floors, long lsn, String... scopes) {
        return floors.written(Set.of(scopes), floor -> floor.raisedTo(position(lsn), System.nanoTime(), WRITER));
    }

    @Test
    void aScopedReadOwesToItsScopeAndToWhatIsGeneral() {
        Floors floors = raised(raised(raised(Floors.none(), 100), 200, "a"), 300, "b");
        assertThat(floors.required(Set.of("a"))).isEqualTo(at(200));
        assertThat(floors.required(Set.of("b"))).isEqualTo(at(300));
        assertThat(floors.required(Set.of("c"))).isEqualTo(at(100));
        assertThat(floors.required(Set.of("a", "b", "c"))).isEqualTo(at(300));
        assertThat(raised(floors, 400).required(Set.of("a"))).isEqualTo(at(400));
    }

    @Test
    void aReadOfEverythingOwesToAllScopes() {
        Floors floors = raised(raised(Floors.none(), 200, "a"), 100, "b");
        assertThat(floors.required(EVERYTHING)).isEqualTo(at(200));
        assertThat(floors.all()).isEqualTo(at(200));
        assertThat(floors.general()).isEqualTo(Floor.none());
    }

    @Test
    void aWriteOfTwoScopesRaisesBoth() {
        Floors floors = raised(Floors.none(), 100, "a", "b");
        assertThat(floors.required(Set.of("a"))).isEqualTo(at(100));
        assertThat(floors.required(Set.of("b"))).isEqualTo(at(100));
        assertThat(floors.required(Set.of("c"))).isEqualTo(Floor.none());
    }

    @Test
    void theScopeWrittenLongestAgoBecomesGeneral() {
        Floors floors = Floors.none();
        for (int i = 1; i <= Floors.MOST_SCOPES; i++) {
            floors = raised(floors, 100L * i, "s" + i);
        }
        floors = raised(floors, 1000, "s1");
        assertThat(floors.general()).isEqualTo(Floor.none());
        floors = raised(floors, 1100, "new");
        assertThat(floors.scopes()).hasSize(Floors.MOST_SCOPES).doesNotContainKey(Floors.key("s2"));
        assertThat(floors.general()).isEqualTo(at(200));
        assertThat(floors.required(Set.of("s2"))).isEqualTo(at(200));
        assertThat(floors.required(Set.of("s1"))).isEqualTo(at(1000));
    }

    @Test
    void anUnknownScopeConcernsItsReadersAndThoseOfEverything() {
        Floors floors = raised(Floors.none(), 100, "a")
                .written(Set.of("b"), floor -> floor.marked(System.nanoTime(), WRITER, true));
        assertThat(floors.isKnown()).isFalse();
        assertThat(floors.required(Set.of("a"))).isEqualTo(at(100));
        assertThat(floors.required(Set.of("b"))).isInstanceOf(Floor.Unknown.class);
        assertThat(floors.required(EVERYTHING)).isInstanceOf(Floor.Unknown.class);
    }

    @Test
    void keysAreTheSameInEveryProcess() {
        assertThat(Floors.key("profile:7")).isEqualTo(3_818_873_122L);
        assertThat(Floors.key("")).isBetween(0L, 0xffffffffL);
    }

    /**
     * Random work of two clients on one writer, the second of which is carried to the first now and then, with a sample of
     * the writer that is often older than the newest writes. Whatever is read owes at least to every write that concerns it.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34})
    void whoeverReadsOwesAtLeastToWhatConcernsHim(long seed) {
        for (int run = 0; run < 50; run++) {
            new World(new Random(seed * 1000 + run)).live();
        }
    }

    /** A write, as a model remembers it. */
    private record Written(Set<String> scopes, long lsn) {

        boolean concerns(Set<String> read) {
            return this.scopes.isEmpty() || read.isEmpty() || read.stream().anyMatch(this.scopes::contains);
        }
    }

    private static final class Client {

        private Floors floors = Floors.none();

        private final List<Written> written = new ArrayList<>();
    }

    private static final class World {

        private final Random random;

        private final Client one = new Client();

        private final Client another = new Client();

        private long lsn = 1000;

        private PrimaryObservation sample;

        World(Random random) {
            this.random = random;
            this.sample = sample();
        }

        private PrimaryObservation sample() {
            return new PrimaryObservation(
                    System.nanoTime(), WRITER, 1, new Lsn(this.lsn), new Lsn(this.lsn), 1_000_000_000L);
        }

        private Set<String> scopes(int most) {
            Set<String> scopes = new HashSet<>();
            for (int i = this.random.nextInt(most + 1); i > 0; i--) {
                scopes.add("profile:" + this.random.nextInt(12));
            }
            return scopes;
        }

        void live() {
            for (int step = 0; step < 60; step++) {
                step();
                check(this.one);
                check(this.another);
            }
            this.sample = sample();
            resolve(this.one);
            check(this.one);
            assertThat(this.one.floors.isKnown())
                    .as("resolved by a sample of now")
                    .isTrue();
        }

        private void step() {
            Client client = this.random.nextInt(3) == 0 ? this.another : this.one;
            switch (this.random.nextInt(8)) {
                case 0, 1, 2 -> commit(client);
                case 3, 4 -> mark(client);
                case 5 -> this.sample = sample();
                case 6 -> resolve(client);
                default -> carry();
            }
        }

        private void commit(Client client) {
            Set<String> scopes = scopes(3);
            this.lsn += 1 + this.random.nextInt(100);
            long askedAt = System.nanoTime();
            WalPosition position = position(this.lsn);
            client.floors = client.floors
                    .written(scopes, floor -> floor.raisedTo(position, askedAt, WRITER))
                    .each(floor -> floor.resolvedBy(position, askedAt, WRITER));
            client.written.add(new Written(scopes, this.lsn));
        }

        private void mark(Client client) {
            Set<String> scopes = scopes(3);
            this.lsn += 1 + this.random.nextInt(100);
            long now = System.nanoTime();
            client.floors = client.floors.written(scopes, floor -> floor.marked(now, WRITER, true));
            client.written.add(new Written(scopes, this.lsn));
        }

        private void resolve(Client client) {
            client.floors = client.floors.resolvedBy(this.sample);
        }

        private void carry() {
            this.one.floors = this.one.floors.and(this.another.floors, System.nanoTime());
            this.one.written.addAll(this.another.written);
        }

        private void check(Client client) {
            assertThat(client.floors.scopes()).hasSizeLessThanOrEqualTo(Floors.MOST_SCOPES);
            owed(client, EVERYTHING);
            for (int i = 0; i < 12; i++) {
                owed(client, Set.of("profile:" + i));
            }
            owed(client, scopes(4));
        }

        private void owed(Client client, Set<String> read) {
            long owed = client.written.stream()
                    .filter(written -> written.concerns(read))
                    .mapToLong(Written::lsn)
                    .max()
                    .orElse(0);
            Floor required = client.floors.required(read);
            if (required instanceof Floor.At at) {
                assertThat(at.position().lsn().isAtOrPast(new Lsn(owed)))
                        .as("%s of %s owe to %s", at, read, new Lsn(owed))
                        .isTrue();
            } else if (owed > 0) {
                assertThat(required).isInstanceOf(Floor.Unknown.class);
            }
        }
    }

    @Test
    void tooManyScopesFromOutsideBecomeGeneralOldestFirst() {
        Map<Long, Floor> many = new LinkedHashMap<>();
        for (long key = 1; key <= Floors.MOST_SCOPES + 2; key++) {
            many.put(key, at(100 * key));
        }
        Floors floors = Floors.of(at(50), many);
        assertThat(floors.general()).isEqualTo(at(200));
        assertThat(floors.scopes()).hasSize(Floors.MOST_SCOPES).doesNotContainKeys(1L, 2L);
    }
}
