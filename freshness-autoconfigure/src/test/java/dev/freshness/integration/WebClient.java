/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.web.HeaderTransport;
import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client over HTTP that keeps its token as one of an API does, in the header, or as a browser does, in a cookie jar.
 *
 * <p>A header client puts the token of a response in the place of the one that its request carried. Where that was replaced
 * meanwhile, it keeps both.
 */
final class WebClient {

    private static final HttpClient WITHOUT_COOKIES = HttpClient.newHttpClient();

    private final HttpClient http;

    private final boolean keepsHeader;

    private List<String> tokens = List.of();

    private WebClient(HttpClient http, boolean keepsHeader) {
        this.http = http;
        this.keepsHeader = keepsHeader;
    }

    static WebClient withHeader() {
        return new WebClient(WITHOUT_COOKIES, true);
    }

    static WebClient withHeader(String... tokens) {
        WebClient client = withHeader();
        client.tokens = List.of(tokens);
        return client;
    }

    /** Keeps nothing. */
    static WebClient forgetful() {
        return new WebClient(WITHOUT_COOKIES, false);
    }

    static WebClient withCookieJar() {
        return new WebClient(
                HttpClient.newBuilder()
                        .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL))
                        .followRedirects(HttpClient.Redirect.ALWAYS)
                        .build(),
                false);
    }

    /** The tokens that the client sends next. */
    synchronized List<String> tokens() {
        return this.tokens;
    }

    /** The one token that the client sends next. */
    String token() {
        return tokens().get(0);
    }

    HttpResponse<String> get(Instance instance, String path) {
        return send(instance, "GET", path, null);
    }

    /** What a read saw, and where. */
    Where read(Instance instance, String path) {
        return where(get(instance, path));
    }

    HttpResponse<String> put(Instance instance, String path, String body) {
        return send(instance, "PUT", path, body);
    }

    HttpResponse<String> post(Instance instance, String path, String body) {
        return send(instance, "POST", path, body);
    }

    static Where where(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return JsonMapper.shared().readValue(response.body(), Where.class);
    }

    private HttpResponse<String> send(Instance instance, String method, String path, @Nullable String body) {
        List<String> sent = tokens();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + instance.port() + path))
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (!sent.isEmpty()) {
            request.header(HeaderTransport.HEADER, String.join(", ", sent));
        }
        try {
            HttpResponse<String> response = this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (this.keepsHeader) {
                keep(sent, response.headers().firstValue(HeaderTransport.HEADER));
            }
            return response;
        } catch (IOException | InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    private synchronized void keep(List<String> sent, Optional<String> received) {
        if (received.isPresent()) {
            List<String> kept = new ArrayList<>(this.tokens);
            kept.removeAll(sent);
            kept.add(received.get());
            this.tokens = List.copyOf(kept);
        }
    }
}
