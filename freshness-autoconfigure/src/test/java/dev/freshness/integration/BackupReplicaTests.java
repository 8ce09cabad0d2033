/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.topology.ReplicaState;
import dev.freshness.topology.StandbyObservation;
import dev.freshness.wal.WalPosition;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;

/** A standby that comes back with the data of an older backup: its position has gone back, and so has what it knows. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class BackupReplicaTests extends ReplicationBed {

    private static final int READERS = 2;

    private static final int READS = 50;

    private final FreshnessSession session = FreshnessSession.ofNewClient();

    @Test
    void servesNoFloorAboveItsPositionBeforeItHasReplayedIt() throws IOException {
        PostgresNode restored = this.postgres.replica("replica-1");
        Path data = Path.of(restored.query("show data_directory"));
        Path backup = data.resolveSibling("backup");
        restored.stop();
        copy(data, backup);
        restored.start();
        awaitEligibleReplicas(2);
        // So that nobody else has the floor but the writer.
        this.postgres.replica("replica-2").pauseReplay();

        try (ThreadScope request = ThreadScope.open(this.session)) {
            this.items.write(1, "new");
        }
        long written = System.nanoTime();
        WalPosition floor = ((Floor.At) this.session.floor("default")).position();
        await().atMost(DEADLINE).until(() -> readYourWrites().port() == restored.port());

        try (Readers readers = new Readers(READERS, this::readYourWrites)) {
            restored.stop();
            // Or it would stream what the backup lacks at once.
            restored.cutWalLink();
            delete(data);
            Files.move(backup, data);
            long startedAt = System.nanoTime();
            restored.start();

            await().atMost(DEADLINE)
                    .until(() -> state(restored).observation() instanceof StandbyObservation standby
                            && standby.sampledAt() > startedAt);
            ReplicaState state = state(restored);
            assertThat(((StandbyObservation) state.observation()).includes(floor))
                    .isFalse();
            assertThat(state.freshnessKnown() && state.freshAsOf() - written >= 0)
                    .as("claims to have what was committed by then")
                    .isFalse();
            // The control: it would answer, with the old row.
            assertThat(restored.query("select name from item where id = 1")).isEqualTo("old");
            readers.awaitReads(READS, System.nanoTime());
            assertThat(readers.between(written, Long.MAX_VALUE))
                    .allSatisfy(read -> assertThat(read.where().value()).isEqualTo("new"));
            assertThat(readers.between(startedAt, Long.MAX_VALUE))
                    .noneMatch(read -> read.where().port() == restored.port());
        }

        restored.restoreWalLink();
        await().atMost(DEADLINE).until(() -> {
            Where where = readYourWrites();
            assertThat(where.value()).isEqualTo("new");
            return where.port() == restored.port();
        });
    }

    private Where readYourWrites() {
        try (ThreadScope request = ThreadScope.open(this.session)) {
            return this.items.readYourWrites(1);
        }
    }

    private ReplicaState state(PostgresNode node) {
        return this.database.state().replicas().stream()
                .filter(replica -> replica.name().equals(node.name()))
                .findFirst()
                .orElseThrow();
    }

    /** With owners and permissions, which a server insists on. */
    private static void copy(Path source, Path target) throws IOException {
        Files.walkFileTree(source, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                return copied(directory);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                return copied(file);
            }

            private FileVisitResult copied(Path path) throws IOException {
                Files.copy(path, target.resolve(source.relativize(path)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void delete(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
