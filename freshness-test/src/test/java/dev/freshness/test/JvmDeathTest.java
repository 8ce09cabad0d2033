/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class JvmDeathTest {

    /** Starts a cluster, tells its directory, and ends by itself when it is told to. */
    static final class Child {

        private Child() {}

        public static void main(String[] arguments) throws Exception {
            ReplicatedPostgres postgres = ReplicatedPostgres.start(1);
            PostgresNode replica = postgres.replica("replica-1");
            Path data = Path.of(postgres.primary().query("SHOW data_directory"));
            replica.freeze();
            System.out.println("DIRECTORY " + data.getParent().getParent());
            System.out.println("PIDS " + postgres.primary().pid() + " " + replica.pid());
            // Not at the end of the input, which comes with a signal too.
            if (System.in.read() >= 0) {
                System.exit(0);
            }
            new CountDownLatch(1).await();
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void serversEndWhenTheJvmIsKilled() throws Exception {
        endsWithTheJvm((child, postmasters, directory) -> {
            child.destroyForcibly().waitFor();
            assertThat(child.exitValue()).isEqualTo(128 + 9);
        });
    }

    /** A signal to the group, as by a terminal or a runner of builds, must not reach the watchdog or the servers. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void serversEndWhenTheProcessGroupIsKilled() throws Exception {
        endsWithTheJvm((child, postmasters, directory) -> {
            for (ProcessHandle postmaster : postmasters) {
                assertThat(processGroup(postmaster.pid())).isNotEqualTo(child.pid());
            }
            assertThat(processGroup(child.pid())).isEqualTo(child.pid());
            List<String> kill = List.of("sh", "-c", "kill -s KILL -- -" + child.pid());
            assertThat(new ProcessBuilder(kill).start().waitFor()).isZero();
            child.waitFor();
        });
    }

    private static long processGroup(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", 4)[2]);
    }

    @Test
    void serversEndBeforeTheJvmExits() throws Exception {
        endsWithTheJvm((child, postmasters, directory) -> {
            child.getOutputStream().write('\n');
            child.getOutputStream().flush();
            assertThat(child.waitFor()).isZero();
            // Not left to the watchdog, which Windows does not have.
            assertThat(postmasters).noneMatch(ProcessHandle::isAlive);
            assertThat(directory).doesNotExist();
        });
    }

    private interface End {
        void of(Process child, List<ProcessHandle> postmasters, Path directory) throws Exception;
    }

    private static void endsWithTheJvm(End end) throws Exception {
        try (ChildJvm child = new ChildJvm(Child.class, List.of("-Xmx128m"))) {
            Path directory = Path.of(child.read("DIRECTORY"));
            List<ProcessHandle> postmasters = Stream.of(child.read("PIDS").split(" "))
                    .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                    .toList();
            List<ProcessHandle> all = child.process().descendants().toList();
            assertThat(all).containsAll(postmasters).hasSizeGreaterThan(2);
            assertThat(directory).isDirectory();

            end.of(child.process(), postmasters, directory);

            Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(all).noneMatch(ProcessHandle::isAlive);
                assertThat(directory).doesNotExist();
            });
        }
    }
}
