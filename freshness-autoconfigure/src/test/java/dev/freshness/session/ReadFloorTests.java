/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.topology.DatabaseState;
import dev.freshness.topology.NodeObservation;
import dev.freshness.topology.PrimaryObservation;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.ServerIdentity;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.Lsn;
import dev.freshness.wal.WalPosition;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadFloorTests {

    private static final long CLUSTER = 7;

    private static final ServerIdentity WRITER = new ServerIdentity(CLUSTER, 1);

    private static final ServerIdentity FIRST = new ServerIdentity(CLUSTER, 2);

    private static final ServerIdentity RESTARTED = new ServerIdentity(CLUSTER, 20);

    private static final ServerIdentity SECOND = new ServerIdentity(CLUSTER, 3);

    private static final long READ = 1000;

    private static PrimaryObservation primary(ServerIdentity server, int timeline, long sampledAt) {
        return new PrimaryObservation(sampledAt, server, timeline, new Lsn(900), new Lsn(800), 1_000_000);
    }

    private static StandbyObservation standby(ServerIdentity server, long sampledAt, long replay) {
        return new StandbyObservation(sampledAt, server, 1, new Lsn(replay), new Lsn(replay), true);
    }

    private static DatabaseState state(@Nullable NodeObservation writer, @Nullable NodeObservation... replicas) {
        return new DatabaseState(
                "default",
                writer,
                Arrays.stream(replicas)
                        .map(observation -> new ReplicaState("r", observation, 0, true))
                        .toList(),
                1_000_000);
    }

    private static Floor at(long lsn) {
        return new Floor.At(new WalPosition(CLUSTER, 1, new Lsn(lsn)));
    }

    private static ReadFloor readOn(int node, ServerIdentity server) {
        return ReadFloor.none().readOn(node, server, 1, READ);
    }

    private static ReadFloor resolved(ReadFloor floor, DatabaseState state) {
        return floor.resolvedBy(state, READ + 100);
    }

    @Test
    void nothingIsOwedAtFirst() {
        assertThat(ReadFloor.none().pending()).isFalse();
        assertThat(ReadFloor.none().floor()).isEqualTo(Floor.none());
    }

    @Test
    void aReadOwesThePositionOfItsNodeSampledAfterIt() {
        ReadFloor read = readOn(0, FIRST);
        DatabaseState before = state(null, standby(FIRST, READ, 500), standby(SECOND, READ + 1, 600));
        assertThat(resolved(read, before).pending()).isTrue();
        DatabaseState after = state(null, standby(FIRST, READ + 1, 510), standby(SECOND, READ + 1, 600));
        assertThat(resolved(read, after).pending()).isFalse();
        assertThat(resolved(read, after).floor()).isEqualTo(at(510));
    }

    /** The node answers, so there is no need for the writer's position, which may be far ahead. */
    @Test
    void theWriterSpeaksForAReplicaOnlyWhereThatIsGone() {
        ReadFloor read = readOn(0, FIRST);
        PrimaryObservation writer = primary(WRITER, 1, READ + 1);
        assertThat(resolved(read, state(writer, standby(FIRST, READ, 500))).pending())
                .isTrue();
        assertThat(resolved(read, state(writer, standby(RESTARTED, READ + 1, 500)))
                        .floor())
                .isEqualTo(at(900));
        assertThat(resolved(read, state(writer, (NodeObservation) null)).floor())
                .isEqualTo(at(900));
    }

    @Test
    void aWriterOfAnotherTimelineOrClusterSpeaksForNobody() {
        ReadFloor read = readOn(0, FIRST);
        assertThat(resolved(read, state(primary(WRITER, 2, READ + 1), (NodeObservation) null))
                        .pending())
                .isTrue();
        ServerIdentity other = new ServerIdentity(CLUSTER + 1, 1);
        assertThat(resolved(read, state(primary(other, 1, READ + 1), (NodeObservation) null))
                        .pending())
                .isTrue();
    }

    @Test
    void aReadOnTheWriterOwesASampleOfIt() {
        ReadFloor read = readOn(ReadFloor.WRITER, WRITER);
        assertThat(resolved(read, state(primary(WRITER, 1, READ), standby(FIRST, READ + 1, 990)))
                        .pending())
                .isTrue();
        assertThat(resolved(read, state(primary(WRITER, 1, READ + 1))).floor()).isEqualTo(at(900));
        DatabaseState flushed = state(primary(WRITER, 1, READ + 3_000_000));
        assertThat(read.resolvedBy(flushed, READ + 3_000_001).floor())
                .as("everything is flushed by then")
                .isEqualTo(at(800));
    }

    @Test
    void aReadOnAServerThatIsNotKnownStaysPending() {
        ReadFloor read = ReadFloor.none().readOn(ReadFloor.WRITER, null, 0, READ);
        assertThat(resolved(read, state(primary(WRITER, 1, READ + 1))).pending())
                .isTrue();
    }

    @Test
    void whatTwoNodesHaveShownOnlyTheWriterHas() {
        ReadFloor read = readOn(0, FIRST).readOn(1, SECOND, 1, READ + 10);
        assertThat(read.node()).isEqualTo(ReadFloor.SEVERAL);
        DatabaseState replicas = state(null, standby(FIRST, READ + 11, 500), standby(SECOND, READ + 11, 600));
        assertThat(resolved(read, replicas).pending()).isTrue();
        assertThat(resolved(read, state(primary(WRITER, 1, READ + 10))).pending())
                .isTrue();
        assertThat(resolved(read, state(primary(WRITER, 1, READ + 11))).floor()).isEqualTo(at(900));
    }

    /** What was read there may have been lost with the restart. */
    @Test
    void aWriterThatWasRestartedDoesNotSpeakForTheOneBefore() {
        DatabaseState restarted = state(primary(RESTARTED, 1, READ + 20), (NodeObservation) null);
        assertThat(resolved(readOn(ReadFloor.WRITER, WRITER), restarted).pending())
                .isTrue();
        ReadFloor thenOnReplica = readOn(ReadFloor.WRITER, WRITER).readOn(0, FIRST, 1, READ + 10);
        assertThat(thenOnReplica.node()).isEqualTo(ReadFloor.WRITER);
        assertThat(resolved(thenOnReplica, restarted).pending()).isTrue();
        assertThat(resolved(thenOnReplica, state(primary(WRITER, 1, READ + 20))).floor())
                .isEqualTo(at(900));
        ReadFloor thenOnWriter = readOn(0, FIRST).readOn(ReadFloor.WRITER, RESTARTED, 1, READ + 10);
        assertThat(resolved(thenOnWriter, restarted).floor()).isEqualTo(at(900));
        assertThat(resolved(readOn(0, FIRST), restarted).floor())
                .as("replicas show what was flushed")
                .isEqualTo(at(900));
    }

    @Test
    void whatIsOwedOnlyRises() {
        DatabaseState high = state(null, standby(FIRST, READ + 1, 510));
        ReadFloor owed = resolved(readOn(0, FIRST), high);
        DatabaseState low = state(null, standby(FIRST, READ + 60, 400));
        assertThat(resolved(owed.readOn(0, FIRST, 1, READ + 50), low).floor()).isEqualTo(at(510));
        DatabaseState higher = state(null, standby(FIRST, READ + 60, 700));
        assertThat(resolved(owed.readOn(0, FIRST, 1, READ + 50), higher).floor())
                .isEqualTo(at(700));
    }
}
