/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Calls a hook before anything that may commit the response: errors, redirects, flushes, closes, and writes that may fill
 * the buffer or complete the declared length. What is written passes through as it comes; nothing is buffered here.
 *
 * <p>What it does when it cannot know: how many bytes a character takes is taken for the most it can, so the hook may be
 * called early, and more than once. It is not called once the response is committed.
 *
 * <p>Used by one thread at a time, as any response.
 */
final class BeforeCommitResponse extends HttpServletResponseWrapper {

    /** No charset takes more for a {@code char}, its shift sequences included. */
    private static final long MOST_BYTES = 8;

    /** As it came: while something is included, a container puts a response in between that takes no headers. */
    private final HttpServletResponse target;

    private final Hook hook;

    private @Nullable ServletOutputStream stream;

    private @Nullable PrintWriter writer;

    private long written;

    private long declared = -1;

    BeforeCommitResponse(HttpServletResponse response, Hook hook) {
        super(response);
        this.target = response;
        this.hook = hook;
    }

    /** To be called where something else is about to commit it. */
    void beforeCommit() {
        if (!this.target.isCommitted()) {
            this.hook.beforeCommit(this.target);
        }
    }

    private void beforeWriting(long bytes) {
        this.written += bytes;
        if (this.written >= getBufferSize() || this.declared >= 0 && this.written >= this.declared) {
            beforeCommit();
        }
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        beforeCommit();
        super.sendError(status, message);
    }

    @Override
    public void sendError(int status) throws IOException {
        beforeCommit();
        super.sendError(status);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        beforeCommit();
        super.sendRedirect(location);
    }

    @Override
    public void sendRedirect(String location, int status) throws IOException {
        beforeCommit();
        super.sendRedirect(location, status);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) throws IOException {
        beforeCommit();
        super.sendRedirect(location, clearBuffer);
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        beforeCommit();
        super.sendRedirect(location, status, clearBuffer);
    }

    @Override
    public void flushBuffer() throws IOException {
        beforeCommit();
        super.flushBuffer();
    }

    @Override
    public void reset() {
        super.reset();
        this.written = 0;
        this.declared = -1;
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        this.written = 0;
    }

    @Override
    public void setContentLength(int length) {
        declare(length);
        super.setContentLength(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        declare(length);
        super.setContentLengthLong(length);
    }

    @Override
    public void setHeader(String name, String value) {
        declareBy(name, value);
        super.setHeader(name, value);
    }

    @Override
    public void addHeader(String name, String value) {
        declareBy(name, value);
        super.addHeader(name, value);
    }

    @Override
    public void setIntHeader(String name, int value) {
        declareBy(name, Integer.toString(value));
        super.setIntHeader(name, value);
    }

    @Override
    public void addIntHeader(String name, int value) {
        declareBy(name, Integer.toString(value));
        super.addIntHeader(name, value);
    }

    private void declareBy(String name, @Nullable String value) {
        if (HttpHeaders.CONTENT_LENGTH.equalsIgnoreCase(name) && value != null) {
            try {
                declare(Long.parseLong(value.strip()));
            } catch (NumberFormatException ex) {
                // What the container makes of it is its own affair; from now on any write may be the last.
                declare(0);
            }
        }
    }

    private void declare(long length) {
        this.declared = length;
        if (length >= 0 && this.written >= length && this.written > 0) {
            beforeCommit();
        }
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (this.stream == null) {
            this.stream = new Stream(super.getOutputStream());
        }
        return this.stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (this.writer == null) {
            PrintWriter target = super.getWriter();
            this.writer = new CheckedWriter(new Characters(target), target);
        }
        return this.writer;
    }

    /** What is to be done before a response is committed. */
    interface Hook {

        /** May be called more than once; headers can still be set. Does not throw. */
        void beforeCommit(HttpServletResponse response);
    }

    private final class Stream extends ServletOutputStream {

        private final ServletOutputStream target;

        Stream(ServletOutputStream target) {
            this.target = target;
        }

        @Override
        public void write(int octet) throws IOException {
            beforeWriting(1);
            this.target.write(octet);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            beforeWriting(length);
            this.target.write(bytes, offset, length);
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            beforeWriting(bytes.remaining());
            this.target.write(bytes);
        }

        @Override
        public void flush() throws IOException {
            beforeCommit();
            this.target.flush();
        }

        @Override
        public void close() throws IOException {
            beforeCommit();
            this.target.close();
        }

        @Override
        public boolean isReady() {
            return this.target.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            this.target.setWriteListener(listener);
        }
    }

    private final class Characters extends Writer {

        private final PrintWriter target;

        Characters(PrintWriter target) {
            this.target = target;
        }

        @Override
        public void write(char[] characters, int offset, int length) {
            beforeWriting(length * MOST_BYTES);
            this.target.write(characters, offset, length);
        }

        @Override
        public void write(String text, int offset, int length) {
            beforeWriting(length * MOST_BYTES);
            this.target.write(text, offset, length);
        }

        @Override
        public void flush() {
            beforeCommit();
            this.target.flush();
        }

        @Override
        public void close() {
            beforeCommit();
            this.target.close();
        }
    }

    /** Passes on what the container's writer says of errors, which it does not throw. */
    private static final class CheckedWriter extends PrintWriter {

        private final PrintWriter target;

        CheckedWriter(Writer characters, PrintWriter target) {
            super(characters);
            this.target = target;
        }

        @Override
        public boolean checkError() {
            return super.checkError() || this.target.checkError();
        }
    }
}
