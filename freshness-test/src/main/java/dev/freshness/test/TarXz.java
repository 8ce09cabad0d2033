/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Unpacks a {@code .tar.xz} with its symbolic links, and with read and execute permissions for everybody who has them. */
final class TarXz {

    private static final int ANY_EXECUTE = 0111;

    private TarXz() {}

    static void extract(InputStream archive, Path directory) throws IOException {
        boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (posix) {
            // Not left to the umask: the account that runs the servers may be another one.
            Files.setPosixFilePermissions(directory, permissions(true));
        }
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path target = inside(directory, entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else if (entry.isSymbolicLink()) {
                    createParent(target);
                    inside(
                            directory,
                            directory
                                    .relativize(target.resolveSibling(entry.getLinkName()))
                                    .toString());
                    Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
                    continue;
                } else if (entry.isFile()) {
                    createParent(target);
                    Files.copy(tar, target);
                } else {
                    throw new IOException("Unexpected kind of entry: " + entry.getName());
                }
                if (posix) {
                    Files.setPosixFilePermissions(
                            target, permissions(entry.isDirectory() || (entry.getMode() & ANY_EXECUTE) != 0));
                }
            }
        }
    }

    private static Path inside(Path directory, String name) throws IOException {
        Path target = directory.resolve(name).normalize();
        if (!target.startsWith(directory)) {
            throw new IOException("Entry leaves the directory: " + name);
        }
        return target;
    }

    private static void createParent(Path target) throws IOException {
        Path parent = target.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
    }

    private static Set<PosixFilePermission> permissions(boolean executable) {
        Set<PosixFilePermission> permissions = EnumSet.of(
                PosixFilePermission.OWNER_READ,
                PosixFilePermission.OWNER_WRITE,
                PosixFilePermission.GROUP_READ,
                PosixFilePermission.OTHERS_READ);
        if (executable) {
            permissions.addAll(EnumSet.of(
                    PosixFilePermission.OWNER_EXECUTE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_EXECUTE));
        }
        return permissions;
    }
}
