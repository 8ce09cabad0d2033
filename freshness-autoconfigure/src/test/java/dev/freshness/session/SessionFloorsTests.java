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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What was carried into a session, in the light of its writer. */
class SessionFloorsTests {

    private static final String DATABASE = "default";

    private static final ServerIdentity WRITER = new ServerIdentity(7, 1);

    private static final Set<String> EVERYTHING = Set.of();

    private final List<Judgement> judged = new ArrayList<>();

    private final FreshnessSession session = FreshnessSession.ofNewClient(new SessionListener() {

        @Override
        public void judged(String database, Judgement judgement) {
            assertThat(database).isEqualTo(DATABASE);
            SessionFloorsTests.this.judged.add(judgement);
        }
    });

    /** Before everything that a test does. */
    private final long arrival = System.nanoTime() - 1_000_000;

    private static WalPosition position(long systemIdentifier, int timeline, long lsn) {
        return new WalPosition(systemIdentifier, timeline, new Lsn(lsn));
    }

    private static Floor.At at(long lsn) {
        return new Floor.At(position(7, 1, lsn));
    }

    private static PrimaryObservation sample(long begun, long insert) {
        return new PrimaryObservation(begun, WRITER, 1, new Lsn(insert), new Lsn(insert - 1), 1_000_000_000L);
    }

    private void carry(Floor floor) {
        this.session.carry(DATABASE, Floors.of(floor), this.arrival);
    }

    private Floor floor(PrimaryObservation sample) {
        return this.session.floors(DATABASE, sample).all();
    }

    private void commit(long lsn, String... scopes) {
        this.session.raise(DATABASE, Set.of(scopes), position(7, 1, lsn), System.nanoTime(), WRITER);
    }

    @Test
    void whatWasCarriedIsJudgedOnlyBySamplesBegunAfterItArrived() {
        carry(at(100));
        assertThat(floor(null)).isEqualTo(at(100));
        assertThat(floor(sample(this.arrival - 1, 50))).isEqualTo(at(100));
        assertThat(floor(sample(this.arrival, 50))).isEqualTo(at(100));
        assertThat(this.judged).isEmpty();
        assertThat(floor(sample(this.arrival + 1, 50))).isEqualTo(at(50));
        assertThat(this.judged).containsExactly(Judgement.BEYOND_WRITER);
        assertThat(this.session.isReplaced(DATABASE)).isTrue();
    }

    @Test
    void whatTheWriterHasIsNotJudgedAgain() {
        carry(at(100));
        assertThat(floor(sample(this.arrival + 1, 100))).isEqualTo(at(100));
        assertThat(floor(sample(this.arrival + 2, 50))).isEqualTo(at(100));
        assertThat(this.judged).isEmpty();
        assertThat(this.session.isReplaced(DATABASE)).isFalse();
    }

    @Test
    void anOwnCommitIsNotJudgedByASampleBegunBeforeIt() {
        carry(at(100));
        commit(200);
        assertThat(floor(sample(this.arrival + 1, 150))).isEqualTo(at(200));
        assertThat(floor(sample(System.nanoTime() + 1, 250))).isEqualTo(at(200));
        assertThat(this.judged).isEmpty();
    }

    @Test
    void norByOneBegunBeforeItWhereSomethingArrivedEarlierIsCarriedLate() {
        commit(200);
        carry(at(100));
        assertThat(floor(sample(this.arrival + 1, 150))).isEqualTo(at(200));
        assertThat(this.judged).isEmpty();
    }

    @Test
    void aMarkToldLateDoesNotLetAnEarlierSampleJudge() {
        carry(at(100));
        this.session.mark(DATABASE, Set.of("a"), this.arrival - 10, WRITER, true);
        Floors floors = this.session.floors(DATABASE, sample(this.arrival - 5, 50));
        assertThat(floors.general()).isEqualTo(at(100));
        assertThat(this.judged).isEmpty();
    }

    @Test
    void aPositionOfAnotherClusterIsReplaced() {
        carry(new Floor.At(position(8, 1, 100)));
        assertThat(floor(sample(this.arrival + 1, 50))).isEqualTo(at(50));
        assertThat(this.judged).containsExactly(Judgement.OTHER_CLUSTER);
    }

    @Test
    void aPositionOfAnotherTimelineIsReplaced() {
        carry(new Floor.At(position(7, 2, 100)));
        assertThat(floor(sample(this.arrival + 1, 50))).isEqualTo(at(50));
        assertThat(this.judged).containsExactly(Judgement.OTHER_HISTORY);
    }

    @Test
    void eachScopeIsJudged() {
        this.session.carry(
                DATABASE,
                Floors.of(
                        at(10),
                        Map.of(
                                Floors.key("good"), at(20),
                                Floors.key("beyond"), at(100),
                                Floors.key("foreign"), new Floor.At(position(8, 1, 5)))),
                this.arrival);
        Floors floors = this.session.floors(DATABASE, sample(this.arrival + 1, 50));
        assertThat(floors.general()).isEqualTo(at(10));
        assertThat(floors.required(Set.of("good"))).isEqualTo(at(20));
        assertThat(floors.required(Set.of("beyond"))).isEqualTo(at(50));
        assertThat(floors.required(Set.of("foreign"))).isEqualTo(at(50));
        assertThat(this.judged).containsExactlyInAnyOrder(Judgement.BEYOND_WRITER, Judgement.OTHER_CLUSTER);
    }

    @Test
    void whatIsUnknownOnAnotherServerStaysSo() {
        Floor other = Floor.none().marked(this.arrival - 5, new ServerIdentity(7, 2), true);
        carry(other);
        assertThat(floor(sample(this.arrival + 1, 50))).isEqualTo(other);
        assertThat(this.session.resolve(DATABASE, sample(this.arrival + 2, 60)).all())
                .isEqualTo(other);
        assertThat(this.judged).isEmpty();
    }

    @Test
    void whatIsUnknownOfNoServerIsResolvedOnDemand() {
        carry(Floor.unknown(this.arrival));
        PrimaryObservation later = sample(this.arrival + 1, 50);
        assertThat(floor(later)).isInstanceOf(Floor.Unknown.class);
        assertThat(this.session.resolve(DATABASE, sample(this.arrival, 50)).all())
                .isInstanceOf(Floor.Unknown.class);
        assertThat(this.session.resolve(DATABASE, later).all()).isEqualTo(at(50));
        assertThat(this.session.isReplaced(DATABASE)).isTrue();
    }

    @Test
    void anOwnCommitTakesThePlaceOfPositionsOfAnotherHistory() {
        this.session.carry(
                DATABASE,
                Floors.of(
                        new Floor.At(position(8, 1, 1000)),
                        Map.of(Floors.key("a"), new Floor.At(position(7, 2, 1000)), Floors.key("b"), at(300))),
                this.arrival);
        commit(200, "c");
        Floors floors = this.session.floors(DATABASE);
        assertThat(floors.general()).isEqualTo(at(200));
        assertThat(floors.required(Set.of("a"))).isEqualTo(at(200));
        assertThat(floors.required(Set.of("b"))).isEqualTo(at(300));
        assertThat(floors.required(Set.of("c"))).isEqualTo(at(200));
        assertThat(this.judged).containsExactlyInAnyOrder(Judgement.OTHER_CLUSTER, Judgement.OTHER_HISTORY);
        // Whether the rest lies beyond the writer is still open.
        assertThat(floor(sample(System.nanoTime() + 1, 250))).isEqualTo(at(250));
        assertThat(this.judged).contains(Judgement.BEYOND_WRITER);
    }

    @Test
    void aCommitAskedForBeforeTheArrivalSaysNothingOfWhatArrived() {
        carry(new Floor.At(position(8, 1, 1000)));
        this.session.raise(DATABASE, Set.of("a"), position(7, 1, 200), this.arrival - 1, WRITER);
        assertThat(this.session.floors(DATABASE).general()).isEqualTo(new Floor.At(position(8, 1, 1000)));
        assertThat(this.judged).isEmpty();
    }

    @Test
    void aCommitOfOneObjectGivesTheClientsOtherWritesAPosition() {
        FreshnessSession unknown = FreshnessSession.ofUnknownClient(this.arrival);
        unknown.raise(DATABASE, Set.of("a"), position(7, 1, 200), System.nanoTime(), WRITER);
        assertThat(unknown.floors(DATABASE).required(Set.of("b"))).isEqualTo(at(200));
        assertThat(unknown.floors(DATABASE).required(EVERYTHING)).isEqualTo(at(200));
    }

    @Test
    void nothingCarriedChangesNothing() {
        this.session.carry(DATABASE, Floors.none(), this.arrival);
        assertThat(this.session.doubt(DATABASE)).isFalse();
        commit(200);
        assertThat(floor(sample(this.arrival + 1, 50))).isEqualTo(at(200));
        assertThat(this.session.isReplaced(DATABASE)).isFalse();
    }
}
