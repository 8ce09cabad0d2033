/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports of the loopback address. They lie below the ranges from which Linux, macOS and Windows take the ports
 * of outgoing connections by default: so nobody's outgoing connection can occupy the port of a server while it is
 * stopped, and no client of a stopped server can connect to itself.
 */
final class Ports {

    private static final int LOWEST = 15000;
    private static final int HIGHEST = 32000;
    private static final int TRIES = 200;

    private Ports() {}

    /** A port that was free a moment ago; another process may be quicker, so the caller must be ready to try again. */
    static int free() {
        IOException last = null;
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return port;
            } catch (IOException e) {
                last = e;
            }
        }
        throw new ReplicatedPostgresException("No free port of " + InetAddress.getLoopbackAddress(), last);
    }
}
