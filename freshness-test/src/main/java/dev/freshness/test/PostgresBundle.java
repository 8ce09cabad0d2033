/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PostgreSQL binaries of the class path, unpacked into a cache directory that all JVMs of one user share.
 *
 * <p>The directory is named by the bundle's digest, so that two versions do not meet, and is made complete before it gets
 * that name. A file lock lets one JVM unpack while others wait for it.
 */
record PostgresBundle(Path home, Platform platform) {

    private static final Logger logger = LoggerFactory.getLogger(PostgresBundle.class);

    private static final Duration UNPACK_DEADLINE = Duration.ofMinutes(2);
    private static final String MARKER = ".entries";

    /** By URL: the bytes behind one do not change while the JVM lives, and it takes a while to read them. */
    private static final Map<String, String> DIGESTS = new ConcurrentHashMap<>();

    Path program(String name) {
        return home.resolve("bin").resolve(platform.windows() ? name + ".exe" : name);
    }

    static PostgresBundle unpacked() {
        return unpacked(Platform.current(), Path.of(System.getProperty("java.io.tmpdir", ".")));
    }

    static PostgresBundle unpacked(Platform platform, Path temporary) {
        URL resource = resource(platform.resource());
        if (resource == null) {
            throw new MissingBundleException("No " + platform.resource() + " on the class path. Add the artifact "
                    + platform.artifact() + " (for example version 18.6.0) as a test dependency.");
        }
        try {
            Path cache = ownDirectory(
                    temporary.toAbsolutePath().resolve("freshness-postgres-" + System.getProperty("user.name")));
            Path home = cache.resolve(digest(resource));
            if (!complete(home)) {
                unpackLocked(resource, home);
            }
            requireTrusted(home);
            return new PostgresBundle(home, platform);
        } catch (IOException e) {
            throw new ReplicatedPostgresException("Cannot unpack " + resource, e);
        }
    }

    private static @Nullable URL resource(String name) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        URL found = context == null ? null : context.getResource(name);
        return found != null ? found : PostgresBundle.class.getResource("/" + name);
    }

    private static String digest(URL resource) throws IOException {
        String known = DIGESTS.get(resource.toString());
        if (known == null) {
            known = computeDigest(resource);
            DIGESTS.put(resource.toString(), known);
        }
        return known;
    }

    private static String computeDigest(URL resource) throws IOException {
        try (InputStream in = resource.openStream()) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void unpackLocked(URL resource, Path home) throws IOException {
        Path lockFile = home.resolveSibling(home.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            FileLock[] held = new FileLock[1];
            Await.until("the lock " + lockFile, UNPACK_DEADLINE, () -> "", () -> {
                try {
                    held[0] = channel.tryLock();
                    return new Await.Look(held[0] != null, "held by another process");
                } catch (OverlappingFileLockException e) {
                    return new Await.Look(false, "held by another thread of this JVM");
                }
            });
            try {
                if (!complete(home)) {
                    unpack(resource, home);
                }
            } finally {
                held[0].release();
            }
        }
    }

    private static void unpack(URL resource, Path home) throws IOException {
        long start = System.nanoTime();
        Path part = home.resolveSibling(home.getFileName() + ".part");
        // What a killed JVM, or a cleaner of temporary directories, left of an earlier one.
        FileTrees.delete(part);
        FileTrees.delete(home);
        Files.createDirectory(part);
        try (InputStream in = new BufferedInputStream(resource.openStream())) {
            TarXz.extract(in, part);
        }
        Files.writeString(part.resolve(MARKER), Long.toString(entries(part)));
        Files.move(part, home, StandardCopyOption.ATOMIC_MOVE);
        logger.debug("Unpacked {} to {} in {} ms", resource, home, (System.nanoTime() - start) / 1_000_000);
    }

    /** Counts, since cleaners of temporary directories delete single old files. */
    private static boolean complete(Path home) throws IOException {
        Path marker = home.resolve(MARKER);
        return Files.isRegularFile(marker) && Files.readString(marker).equals(Long.toString(entries(home)));
    }

    private static long entries(Path home) throws IOException {
        try (Stream<Path> paths = Files.walk(home)) {
            return paths.filter(path -> !path.endsWith(MARKER)).count();
        }
    }

    private static Path ownDirectory(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
            if (posix(directory)) {
                // The servers of a root JVM run as somebody else, who must be able to read the binaries.
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (FileAlreadyExistsException shared) {
            logger.trace("Reusing {}", directory);
        }
        requireTrusted(directory);
        return directory;
    }

    /** Binaries that somebody else could have put there must not be run. */
    private static void requireTrusted(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new ReplicatedPostgresException(directory + " is not a directory");
        }
        if (!posix(directory)) {
            return;
        }
        Path probe = Files.createTempFile("freshness-owner-", "");
        try {
            Object me = Files.getOwner(probe);
            Object owner = Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS);
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS);
            if (!me.equals(owner)
                    || permissions.contains(PosixFilePermission.GROUP_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new ReplicatedPostgresException(directory + " belongs to " + owner + " with "
                        + PosixFilePermissions.toString(permissions) + ", so " + me
                        + " does not run binaries from it. Remove it, or set java.io.tmpdir to another directory.");
            }
        } finally {
            Files.delete(probe);
        }
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
