/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a main class of the tests in a JVM of its own. */
final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    ChildJvm(Class<?> main, List<String> jvmOptions, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        // So that a test can signal its process group, which is not that of the tests then.
        process = new ProcessBuilder(Commands.detached(command))
                .redirectError(Redirect.INHERIT)
                .start();
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The next line that begins with the given word, without it; logging is passed over. */
    String read(String word) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(word + " ")) {
                return line.substring(word.length() + 1);
            }
        }
        throw new IOException("The child ended without saying " + word);
    }

    Process process() {
        return process;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
