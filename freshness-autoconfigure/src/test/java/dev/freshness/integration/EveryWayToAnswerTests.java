/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import dev.freshness.test.ReplicatedPostgresTest;
import dev.freshness.web.HeaderTransport;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** However a handler answers, the token of what it has committed is on the response, once. */
@ReplicatedPostgresTest
@ExtendWith(OutputCaptureExtension.class)
class EveryWayToAnswerTests {

    private static Instance instance;

    @BeforeAll
    static void start(ReplicatedPostgres postgres) {
        instance = Instance.with(postgres, Answers.class, "logging.level.org.apache.catalina.core.ContainerBase=off");
    }

    @AfterAll
    static void stop() {
        instance.close();
    }

    @BeforeEach
    void bed(ReplicatedPostgres postgres) {
        postgres.primary().execute("update item set name = 'old'");
        postgres.awaitCaughtUp();
        ReplicationBed.awaitEligibleReplicas(instance.database(), 2);
        postgres.replicas().forEach(PostgresNode::pauseReplay);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "small",
                "large",
                "exact-length",
                "exact-length-by-header",
                "print-and-flush",
                "stream-and-flush",
                "byte-by-byte",
                "flush-buffer",
                "send-error",
                "redirect",
                "throws",
                "throws-with-status",
                "empty",
                "no-content",
                "callable",
                "callable-throws",
                "deferred",
                "streaming",
                "events",
                "forward",
                "include",
                "etag",
                "reset",
                "reset-buffer",
                "closed"
            })
    void theTokenArrivesOnce(String way) {
        WebClient client = WebClient.withHeader();
        HttpResponse<String> response = client.get(instance, "/answers/" + way);

        assertThat(response.headers().allValues(HeaderTransport.HEADER))
                .as("%d %s", response.statusCode(), response.headers().map())
                .hasSize(1);
        assertThat(response.headers().allValues("Set-Cookie"))
                .filteredOn(cookie -> cookie.startsWith("freshness-"))
                .hasSize(1);
        if (!way.equals("reset") && !way.equals("send-error") && !way.equals("throws")) {
            assertThat(response.headers().allValues("Set-Cookie"))
                    .filteredOn(cookie -> cookie.startsWith("own="))
                    .hasSize(1);
        }
        assertThat(response.headers().allValues("Cache-Control"))
                .hasSize(1)
                .allMatch(value -> value.contains("private"));
        Where where = client.read(instance, "/read");
        assertThat(where.value()).isEqualTo(way);
        assertThat(WebClient.forgetful().read(instance, "/read").value()).isEqualTo("old");
    }

    @Test
    void whatIsCommittedAfterTheResponseIsCountedAndSaidOnce(CapturedOutput output) {
        double before = instance.tokens("too-late");
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> response = WebClient.withHeader().get(instance, "/answers/too-late");
            assertThat(response.headers().firstValue(HeaderTransport.HEADER)).isEmpty();
        }
        await().atMost(ReplicationBed.DEADLINE).until(() -> instance.tokens("too-late") - before == 2);
        assertThat(output.toString().split("has no freshness token of it", -1)).hasSize(2);
    }

    @Test
    void aPartThatIsStreamedLaterHasTheTokenOfWhatWasCommittedBefore() {
        WebClient client = WebClient.withHeader();
        client.get(instance, "/answers/twice");
        assertThat(client.tokens()).hasSize(1);
        assertThat(client.read(instance, "/read").value()).isEqualTo("second");
    }

    @Test
    void staticResourcesCarryNone() {
        HttpResponse<String> response = WebClient.withHeader().get(instance, "/static.txt");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue(HeaderTransport.HEADER)).isEmpty();
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    @RestController
    static class Answers {

        private static final String LARGE = "x".repeat(64 * 1024);

        private final Items items;

        Answers(@Lazy Items items) {
            this.items = items;
        }

        @Bean
        FilterRegistrationBean<Filter> etags() {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
            registration.addUrlPatterns("/answers/etag");
            return registration;
        }

        @GetMapping("/read")
        Where read() {
            return this.items.readYourWrites(1);
        }

        private void write(String way, HttpServletResponse response) {
            response.addCookie(new Cookie("own", "1"));
            this.items.write(1, way);
        }

        @GetMapping("/answers/{way:small|etag|target}")
        String small(@PathVariable String way, HttpServletResponse response) {
            write(way, response);
            return "small";
        }

        @GetMapping("/answers/large")
        String large(HttpServletResponse response) {
            write("large", response);
            return LARGE;
        }

        @GetMapping("/answers/{way:exact-length|exact-length-by-header}")
        void exactLength(@PathVariable String way, HttpServletResponse response) throws IOException {
            write(way, response);
            if (way.equals("exact-length")) {
                response.setContentLength(5);
            } else {
                response.setHeader("content-length", "5");
            }
            response.getOutputStream().write("12345".getBytes(StandardCharsets.UTF_8));
        }

        @GetMapping("/answers/print-and-flush")
        void printAndFlush(HttpServletResponse response) throws IOException {
            write("print-and-flush", response);
            response.getWriter().println("text");
            response.getWriter().flush();
        }

        @GetMapping("/answers/stream-and-flush")
        void streamAndFlush(HttpServletResponse response) throws IOException {
            write("stream-and-flush", response);
            response.getOutputStream().print("text");
            response.getOutputStream().flush();
        }

        @GetMapping("/answers/byte-by-byte")
        void byteByByte(HttpServletResponse response) throws IOException {
            write("byte-by-byte", response);
            for (int i = 0; i < LARGE.length(); i++) {
                response.getOutputStream().write('x');
            }
        }

        @GetMapping("/answers/flush-buffer")
        void flushBuffer(HttpServletResponse response) throws IOException {
            write("flush-buffer", response);
            response.flushBuffer();
        }

        @GetMapping("/answers/send-error")
        void sendError(HttpServletResponse response) throws IOException {
            write("send-error", response);
            response.sendError(409, "on purpose");
        }

        @GetMapping("/answers/redirect")
        void redirect(HttpServletResponse response) throws IOException {
            write("redirect", response);
            response.sendRedirect("/read");
        }

        @GetMapping("/answers/throws")
        void fails(HttpServletResponse response) throws ServletException {
            write("throws", response);
            throw new ServletException("on purpose");
        }

        @GetMapping("/answers/throws-with-status")
        void failsWithStatus(HttpServletResponse response) {
            write("throws-with-status", response);
            throw new Gone();
        }

        @GetMapping("/answers/empty")
        void empty(HttpServletResponse response) {
            write("empty", response);
            response.setStatus(202);
        }

        @GetMapping("/answers/no-content")
        ResponseEntity<Void> noContent(HttpServletResponse response) {
            write("no-content", response);
            return ResponseEntity.noContent().build();
        }

        @GetMapping("/answers/callable")
        Callable<String> callable(HttpServletResponse response) {
            return () -> {
                write("callable", response);
                return "later";
            };
        }

        @GetMapping("/answers/callable-throws")
        Callable<String> callableFails(HttpServletResponse response) {
            return () -> {
                write("callable-throws", response);
                throw new Gone();
            };
        }

        @GetMapping("/answers/deferred")
        DeferredResult<String> deferred(HttpServletResponse response) {
            write("deferred", response);
            DeferredResult<String> result = new DeferredResult<>();
            new Thread(() -> result.setResult("later")).start();
            return result;
        }

        @GetMapping("/answers/streaming")
        StreamingResponseBody streaming(HttpServletResponse response) {
            return out -> {
                write("streaming", response);
                out.write(LARGE.getBytes(StandardCharsets.UTF_8));
                out.flush();
            };
        }

        @GetMapping("/answers/events")
        SseEmitter events(HttpServletResponse response) throws IOException {
            write("events", response);
            SseEmitter emitter = new SseEmitter();
            emitter.send("one");
            emitter.complete();
            return emitter;
        }

        @GetMapping("/answers/forward")
        void forward(HttpServletRequest request, HttpServletResponse response) throws Exception {
            write("forward", response);
            request.getRequestDispatcher("/static.txt").forward(request, response);
        }

        @GetMapping("/answers/include")
        void include(HttpServletRequest request, HttpServletResponse response) throws Exception {
            write("include", response);
            request.getRequestDispatcher("/static.txt").include(request, response);
            response.flushBuffer();
        }

        @GetMapping("/answers/reset")
        void reset(HttpServletResponse response) throws IOException {
            write("reset", response);
            response.getWriter().write("x".repeat(4000));
            response.reset();
            response.getWriter().write("after all");
        }

        @GetMapping("/answers/reset-buffer")
        void resetBuffer(HttpServletResponse response) throws IOException {
            write("reset-buffer", response);
            response.getWriter().write("x".repeat(4000));
            response.resetBuffer();
            response.getWriter().write("after all");
        }

        @GetMapping("/answers/closed")
        void closed(HttpServletResponse response) throws IOException {
            write("closed", response);
            response.getWriter().close();
        }

        @GetMapping("/answers/too-late")
        StreamingResponseBody tooLate(HttpServletResponse response) {
            return out -> {
                response.flushBuffer();
                this.items.write(1, "too late");
            };
        }

        /** The buffer is nearly full when the first transaction commits, and overflows after the second. */
        @GetMapping("/answers/twice")
        void twice(HttpServletResponse response) throws IOException {
            response.setBufferSize(8192);
            this.items.write(1, "first");
            response.getWriter().write("x".repeat(4000));
            this.items.write(1, "second");
            response.getWriter().write("x".repeat(40_000));
        }
    }

    @ResponseStatus(HttpStatus.GONE)
    static final class Gone extends RuntimeException {

        private static final long serialVersionUID = 1L;
    }
}
