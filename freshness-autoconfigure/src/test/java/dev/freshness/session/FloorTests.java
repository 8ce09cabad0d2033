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
import java.util.List;
import org.junit.jupiter.api.Test;

class FloorTests {

    private static final ServerIdentity WRITER = new ServerIdentity(7, 1);

    private static final ServerIdentity OTHER = new ServerIdentity(7, 2);

    private static WalPosition at(long lsn) {
        return new WalPosition(7, 1, new Lsn(lsn));
    }

    private static PrimaryObservation sample(long at, ServerIdentity identity) {
        return new PrimaryObservation(at, identity, 1, new Lsn(1000), new Lsn(900), 10);
    }

    @Test
    void risesWithinOneHistoryAndNeverSinks() {
        Floor floor = Floor.none().raisedTo(at(100), 1, WRITER);
        assertThat(floor).isEqualTo(new Floor.At(at(100)));
        assertThat(floor.raisedTo(at(50), 2, WRITER)).isSameAs(floor);
        assertThat(floor.raisedTo(at(200), 2, WRITER)).isEqualTo(new Floor.At(at(200)));
    }

    @Test
    void isUnknownWhereHistoriesDoNotCompare() {
        Floor floor = new Floor.At(at(100));
        assertThat(floor.raisedTo(new WalPosition(7, 2, new Lsn(500)), 5, WRITER))
                .isInstanceOf(Floor.Unknown.class);
        assertThat(floor.raisedTo(new WalPosition(8, 1, new Lsn(500)), 5, WRITER))
                .isInstanceOf(Floor.Unknown.class);
    }

    @Test
    void unknownIsReplacedOnlyByAPositionAskedForLater() {
        Floor unknown = Floor.unknown(100);
        assertThat(unknown.raisedTo(at(5), 99, WRITER)).isSameAs(unknown);
        assertThat(unknown.raisedTo(at(5), 100, WRITER)).isEqualTo(new Floor.At(at(5)));
    }

    @Test
    void whatSeveralServersTookNoPositionOfOneIncludes() {
        Floor marked = new Floor.At(at(5)).marked(100, WRITER, true);
        for (Floor several : List.of(
                marked.marked(150, OTHER, true), marked.marked(150, null, true), marked.raisedTo(at(9), 200, OTHER))) {
            assertThat(several.resolvedBy(sample(300, WRITER))).isSameAs(several);
            assertThat(several.resolvedBy(sample(300, OTHER))).isSameAs(several);
            assertThat(several.raisedTo(at(9), 300, WRITER)).isInstanceOf(Floor.Unknown.class);
            assertThat(several.raisedTo(at(9), 300, OTHER)).isInstanceOf(Floor.Unknown.class);
            assertThat(several.marked(300, WRITER, true).resolvedBy(sample(400, WRITER)))
                    .isInstanceOf(Floor.Unknown.class);
        }
    }

    @Test
    void aLaterCommitOnTheSameServerReplacesAMark() {
        Floor marked = Floor.none().marked(100, WRITER, true);
        assertThat(marked.raisedTo(at(9), 99, WRITER)).isSameAs(marked);
        assertThat(marked.raisedTo(at(9), 200, WRITER)).isEqualTo(new Floor.At(at(9)));
    }

    @Test
    void aMarkIsResolvedByASampleBegunLater() {
        Floor marked = Floor.none().marked(100, WRITER, true);
        assertThat(marked.resolvedBy(null)).isSameAs(marked);
        assertThat(marked.resolvedBy(sample(100, WRITER))).isSameAs(marked);
        assertThat(marked.resolvedBy(sample(200, OTHER))).isSameAs(marked);
        assertThat(marked.resolvedBy(sample(101, WRITER))).isEqualTo(new Floor.At(at(1000)));
    }

    @Test
    void aWriteThatMayGoOnIsNotResolvedBySamples() {
        Floor marked = Floor.none().marked(100, WRITER, false);
        assertThat(marked.resolvedBy(sample(200, WRITER))).isSameAs(marked);
        assertThat(marked.marked(150, WRITER, true).resolvedBy(sample(200, WRITER)))
                .isInstanceOf(Floor.Unknown.class);
        assertThat(marked.raisedTo(at(9), 200, WRITER)).isEqualTo(new Floor.At(at(9)));
    }

    @Test
    void aSampleBegunAfterEverythingWasFlushedGivesItsFlushPosition() {
        Floor marked = Floor.none().marked(100, WRITER, true);
        assertThat(marked.resolvedBy(sample(129, WRITER))).isEqualTo(new Floor.At(at(1000)));
        assertThat(marked.resolvedBy(sample(130, WRITER))).isEqualTo(new Floor.At(at(900)));
    }

    @Test
    void anUnknownClientIsNotResolvedBySamples() {
        Floor unknown = Floor.unknown(100);
        assertThat(unknown.resolvedBy(sample(10_000, WRITER))).isSameAs(unknown);
    }

    @Test
    void togetherWithAPositionAMarkIsResolvedOnlyBySamplesBegunFromThenOn() {
        long now = System.nanoTime();
        Floor marked = Floor.none().marked(now - 1000, WRITER, true);
        // Captured after the sample was begun: the sample tells nothing of it.
        Floor captured = new Floor.At(at(5000));
        for (Floor both : List.of(marked.and(captured), captured.and(marked))) {
            assertThat(both.resolvedBy(sample(now - 500, WRITER))).isSameAs(both);
            assertThat(both.resolvedBy(sample(System.nanoTime() + 1000, WRITER)))
                    .isEqualTo(new Floor.At(at(900)));
        }
    }

    @Test
    void togetherWithNothingAFloorStaysAsItIs() {
        for (Floor floor : List.of(Floor.none(), new Floor.At(at(5)), Floor.unknown(100))) {
            assertThat(floor.and(Floor.none())).isEqualTo(floor);
            assertThat(Floor.none().and(floor)).isEqualTo(floor);
        }
    }

    @Test
    void aCommitThatWasOfSomethingElseGivesAMissingPosition() {
        Floor.At given = new Floor.At(at(9));
        assertThat(Floor.unknown(100).resolvedBy(at(9), 100, WRITER)).isEqualTo(given);
        Floor marked = Floor.none().marked(100, WRITER, true);
        assertThat(marked.resolvedBy(at(9), 100, WRITER)).isEqualTo(given);
        assertThat(marked.resolvedBy(at(9), 99, WRITER)).isSameAs(marked);
        assertThat(marked.resolvedBy(at(9), 200, OTHER)).isSameAs(marked);
        Floor goingOn = Floor.none().marked(100, WRITER, false);
        assertThat(goingOn.resolvedBy(at(9), 200, WRITER)).isSameAs(goingOn);
        assertThat(Floor.none().resolvedBy(at(9), 200, WRITER)).isSameAs(Floor.none());
        Floor lower = new Floor.At(at(5));
        assertThat(lower.resolvedBy(at(9), 200, WRITER)).isSameAs(lower);
    }
}
