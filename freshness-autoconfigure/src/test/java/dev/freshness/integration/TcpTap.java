/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.test.PostgresNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between the driver and a server and listens: counts the bytes that the client sends and notes what they say. Can
 * cut the line at a commit.
 */
final class TcpTap implements AutoCloseable {

    /** Where to cut the line. */
    enum Cut {
        NEVER,
        /** The server gets the client's COMMIT, the client gets no answer. */
        BEFORE_THE_ANSWER,
        /** The client learns that the server has committed, and nothing after that. */
        AFTER_THE_COMMAND_TAG
    }

    private static final String COMMIT_TAG = "C\0\0\0\u000bCOMMIT\0";

    private final ServerSocket listener;

    private final int serverPort;

    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private final StringBuilder said = new StringBuilder();

    private Cut cut = Cut.NEVER;

    TcpTap(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    /** A JDBC URL that leads through the tap. */
    private String through(String jdbcUrl) {
        return jdbcUrl.replaceFirst("//[^/]+/", "//127.0.0.1:" + this.listener.getLocalPort() + "/");
    }

    /** A pool of one connection that leads through the tap. */
    HikariDataSource pool(PostgresNode node, String parameters) {
        HikariDataSource pool = new HikariDataSource();
        String url = through(node.jdbcUrl());
        pool.setJdbcUrl(url + (url.contains("?") ? "&" : "?") + parameters);
        pool.setUsername(node.username());
        pool.setPassword(node.password());
        pool.setMaximumPoolSize(1);
        return pool;
    }

    synchronized void reset() {
        this.said.setLength(0);
    }

    /** What the client has sent, as far as it is text. */
    synchronized String said() {
        return this.said.toString();
    }

    synchronized void cut(Cut where) {
        this.cut = where;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = this.listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), this.serverPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                this.sockets.add(client);
                this.sockets.add(server);
                daemon(() -> pump(client, server, true));
                daemon(() -> pump(server, client, false));
            }
        } catch (IOException closed) {
            // The tap was closed.
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "tcp-tap");
        thread.setDaemon(true);
        thread.start();
    }

    private void pump(Socket from, Socket to, boolean fromClient) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[65536];
            int length = in.read(buffer);
            while (length >= 0) {
                int forwarded = fromClient ? heard(buffer, length) : answered(buffer, length);
                out.write(buffer, 0, forwarded);
                out.flush();
                if (forwarded < length) {
                    return;
                }
                length = in.read(buffer);
            }
        } catch (IOException closed) {
            // Either side hung up; so does the other, now.
        }
    }

    private synchronized int heard(byte[] buffer, int length) {
        this.said.append(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
        return length;
    }

    private synchronized int answered(byte[] buffer, int length) {
        if (this.cut == Cut.NEVER) {
            return length;
        }
        String answer = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
        int tag = answer.indexOf(COMMIT_TAG);
        if (tag < 0) {
            return length;
        }
        return this.cut == Cut.BEFORE_THE_ANSWER ? 0 : tag + COMMIT_TAG.length();
    }

    @Override
    public void close() throws IOException {
        this.listener.close();
        for (Socket socket : this.sockets) {
            socket.close();
        }
    }
}
