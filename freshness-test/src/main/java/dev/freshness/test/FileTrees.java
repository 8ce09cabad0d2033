/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Copies and deletes directory trees that a server may be changing. */
final class FileTrees {

    private FileTrees() {}

    /**
     * Copies what {@code wanted} accepts, by path relative to {@code source}; a refused directory is not entered. Files
     * that vanish meanwhile are left out: a server removes temporary ones at any time.
     */
    static void copy(Path source, Path target, Predicate<Path> wanted, ServerAccount account) throws IOException {
        Files.walkFileTree(source, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Path relative = source.relativize(directory);
                if (!directory.equals(source) && !wanted.test(relative)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Path copy = target.resolve(relative);
                Files.copy(directory, copy, StandardCopyOption.COPY_ATTRIBUTES);
                account.own(copy);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path relative = source.relativize(file);
                if (wanted.test(relative)) {
                    Path copy = target.resolve(relative);
                    try {
                        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                        account.own(copy);
                    } catch (NoSuchFileException vanished) {
                        Files.deleteIfExists(copy);
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null && !(failure instanceof NoSuchFileException)) {
                    throw failure;
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /**
     * Deletes as much of the tree as it can.
     *
     * @return whether nothing is left
     */
    static boolean delete(Path root) {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                        throws IOException {
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException leftForTheCaller) {
            return false;
        }
        return Files.notExists(root);
    }
}
