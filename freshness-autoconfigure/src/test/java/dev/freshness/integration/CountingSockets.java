/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/**
 * Counts round trips where the driver waits: how often something is read after something was sent. On the wire the answer
 * to BEGIN, for which the driver does not wait, may or may not come in between. Made by the driver, by its name.
 */
public final class CountingSockets extends SocketFactory {

    private static final AtomicInteger ROUND_TRIPS = new AtomicInteger();

    /** So far, on all connections. */
    static int roundTrips() {
        return ROUND_TRIPS.get();
    }

    @Override
    public Socket createSocket() {
        return new CountingSocket();
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException();
    }

    private static final class CountingSocket extends Socket {

        private volatile boolean sent;

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int b) throws IOException {
                    CountingSocket.this.sent = true;
                    this.out.write(b);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    CountingSocket.this.sent = true;
                    this.out.write(bytes, offset, length);
                }
            };
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    count();
                    return super.read();
                }

                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    count();
                    return super.read(bytes, offset, length);
                }
            };
        }

        private void count() {
            if (this.sent) {
                this.sent = false;
                ROUND_TRIPS.incrementAndGet();
            }
        }
    }
}
