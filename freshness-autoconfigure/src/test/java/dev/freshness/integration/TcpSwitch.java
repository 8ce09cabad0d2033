/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/**
 * One address that leads to whichever server a test says, as a load balancer or a moved address does, and that can fall
 * silent as a host does that lost its power: nothing is closed, nothing is answered, and new connections are not accepted.
 */
final class TcpSwitch implements AutoCloseable {

    private static final int BACKLOG = 8;

    private static final int NO_ANSWER_MILLIS = 250;

    private final ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private final Set<Integer> fillers = ConcurrentHashMap.newKeySet();

    private final IntSupplier target;

    private boolean silent;

    /**
     * Opens the address.
     *
     * @param target asked at each new connection for the port of the server that it leads to
     */
    TcpSwitch(IntSupplier target) throws IOException {
        this.target = target;
        daemon(this::accept);
    }

    /** A JDBC URL that leads through the switch. */
    String through(String jdbcUrl) {
        return jdbcUrl.replaceFirst("//[^/]+/", "//127.0.0.1:" + this.listener.getLocalPort() + "/");
    }

    /** Drops every packet from now on, those that open a connection included. */
    void fallSilent() throws IOException {
        synchronized (this) {
            this.silent = true;
        }
        // Nobody accepts any more; once the queue of the operating system is full, it drops what comes.
        List<Socket> queued = new ArrayList<>();
        try {
            for (int i = 0; i < 4 * BACKLOG; i++) {
                Socket filler = new Socket();
                queued.add(filler);
                filler.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                this.fillers.add(filler.getLocalPort());
                filler.connect(this.listener.getLocalSocketAddress(), NO_ANSWER_MILLIS);
            }
        } catch (SocketTimeoutException full) {
            return;
        } finally {
            for (Socket filler : queued) {
                filler.close();
            }
        }
        throw new AssertionError("The address still accepts connections");
    }

    /** Forwards again, beginning with what was held back. */
    synchronized void speak() {
        this.silent = false;
        notifyAll();
    }

    private synchronized void awaitSpeech() throws IOException {
        try {
            while (this.silent) {
                wait();
            }
        } catch (InterruptedException ex) {
            throw new IOException(ex);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = this.listener.accept();
                awaitSpeech();
                if (this.fillers.remove(client.getPort())) {
                    client.close();
                } else {
                    connect(client);
                }
            }
        } catch (IOException closed) {
            // The switch was closed.
        }
    }

    private void connect(Socket client) throws IOException {
        this.sockets.add(client);
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target.getAsInt());
            this.sockets.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            daemon(() -> pump(client, server));
            daemon(() -> pump(server, client));
        } catch (IOException refused) {
            client.close();
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "tcp-switch");
        thread.setDaemon(true);
        thread.start();
    }

    private void pump(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[65536];
            int length = in.read(buffer);
            while (length >= 0) {
                awaitSpeech();
                out.write(buffer, 0, length);
                out.flush();
                length = in.read(buffer);
            }
            // The news that a side hung up does not arrive either.
            awaitSpeech();
        } catch (IOException closed) {
            // Either side hung up; so does the other, now.
        }
    }

    @Override
    public void close() throws IOException {
        speak();
        this.listener.close();
        for (Socket socket : this.sockets) {
            socket.close();
        }
    }
}
