/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.View;

/** Runs what a test gives it within a web request over HTTP: one part as the handler, another as the view. */
@RestController
class Requests {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final AtomicInteger ids = new AtomicInteger();

    private final Map<Integer, Work> works = new ConcurrentHashMap<>();

    @GetMapping("/run/{id}")
    View run(@PathVariable int id) {
        Work work = this.works.get(id);
        work.handle();
        return work.view();
    }

    @GetMapping("/run-later/{id}")
    Callable<View> runLater(@PathVariable int id) {
        return () -> run(id);
    }

    <T> T get(int port, Supplier<T> handler) {
        return get(port, handler, result -> result);
    }

    <T, V> V get(int port, Supplier<T> handler, Function<T, V> view) {
        return get(port, "/run/", handler, view);
    }

    <T, V> V getLater(int port, Supplier<T> handler, Function<T, V> view) {
        return get(port, "/run-later/", handler, view);
    }

    /** What the view made of what the handler returned; fails with what either of them failed with. */
    @SuppressWarnings("unchecked")
    private <T, V> V get(int port, String path, Supplier<T> handler, Function<T, V> view) {
        int id = this.ids.incrementAndGet();
        Work work = new Work((Supplier<Object>) handler, (Function<Object, Object>) view);
        this.works.put(id, work);
        HttpResponse<String> response;
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path + id))
                    .build();
            response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException ex) {
            throw new AssertionError(ex);
        }
        this.works.remove(id);
        if (work.failure instanceof Error error) {
            throw error;
        }
        if (work.failure instanceof RuntimeException failure) {
            throw failure;
        }
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return (V) work.shown;
    }

    private static final class Work {

        private final Supplier<Object> handler;

        private final Function<Object, Object> view;

        private volatile @Nullable Object handled;

        private volatile @Nullable Object shown;

        private volatile @Nullable Throwable failure;

        Work(Supplier<Object> handler, Function<Object, Object> view) {
            this.handler = handler;
            this.view = view;
        }

        void handle() {
            try {
                this.handled = this.handler.get();
            } catch (RuntimeException | Error ex) {
                this.failure = ex;
                throw ex;
            }
        }

        View view() {
            return (model, request, response) -> {
                try {
                    this.shown = this.view.apply(this.handled);
                } catch (RuntimeException | Error ex) {
                    this.failure = ex;
                    throw ex;
                }
            };
        }
    }
}
