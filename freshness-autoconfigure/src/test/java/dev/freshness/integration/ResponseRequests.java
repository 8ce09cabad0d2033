/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.session.MapSessionRepository;
import org.springframework.session.web.http.SessionRepositoryFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** Handlers that commit a transaction, and then their response in one of all the ways there are. */
@RestController
@RequestMapping({"/responses", "/etag", "/caching", "/session"})
@Import(ItemRequests.class)
class ResponseRequests {

    static final String LARGE = "x".repeat(100_000);

    /** Too short to fill a buffer, too long for it to be sure of that. */
    private static final String MEDIUM = "x".repeat(3_000);

    private final Items items;

    ResponseRequests(Items items) {
        this.items = items;
    }

    @Bean
    static FilterRegistrationBean<Filter> etags() {
        return at("/etag/*", new ShallowEtagHeaderFilter(), Ordered.LOWEST_PRECEDENCE);
    }

    @Bean
    static FilterRegistrationBean<Filter> caching() {
        return at(
                "/caching/*",
                new OncePerRequestFilter() {
                    @Override
                    protected void doFilterInternal(
                            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                            throws ServletException, IOException {
                        ContentCachingResponseWrapper caching = new ContentCachingResponseWrapper(response);
                        chain.doFilter(request, caching);
                        caching.copyBodyToResponse();
                    }
                },
                Ordered.LOWEST_PRECEDENCE);
    }

    @Bean
    static FilterRegistrationBean<Filter> sessions() {
        return at(
                "/session/*",
                new SessionRepositoryFilter<>(new MapSessionRepository(new ConcurrentHashMap<>())),
                SessionRepositoryFilter.DEFAULT_ORDER);
    }

    private static FilterRegistrationBean<Filter> at(String path, Filter filter, int order) {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
        registration.addUrlPatterns(path);
        registration.setOrder(order);
        return registration;
    }

    /** What a user's own code leaves on responses, in the first dispatch of a request. */
    @ModelAttribute
    void cookies(HttpServletRequest request, HttpServletResponse response) {
        if (request.getAttribute("cookies") == null) {
            request.setAttribute("cookies", "set");
            setCookies(response);
        }
    }

    private static void setCookies(HttpServletResponse response) {
        response.addHeader("Set-Cookie", "other=1; Path=/");
        response.addHeader("Set-Cookie", "freshness=2; Path=/");
    }

    private void write(String name) {
        this.items.write(1, name);
    }

    @GetMapping("/small")
    String small(@RequestParam String name) {
        write(name);
        return "small";
    }

    @GetMapping("/read")
    String read() {
        return this.items.eventual(1).value();
    }

    @GetMapping("/large")
    String large(@RequestParam String name) {
        write(name);
        return LARGE;
    }

    @GetMapping("/large-by-bytes")
    void largeByBytes(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        for (int i = 0; i < LARGE.length(); i++) {
            response.getOutputStream().write('x');
        }
    }

    @GetMapping("/large-by-buffer")
    void largeByBuffer(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getOutputStream().write(ByteBuffer.wrap(LARGE.getBytes(StandardCharsets.US_ASCII)));
    }

    @GetMapping("/large-by-characters")
    void largeByCharacters(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.setCharacterEncoding("UTF-8");
        response.getWriter().print("\u20ac".repeat(30_000));
    }

    @GetMapping("/exact-length")
    void exactLength(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.setContentLength(5);
        response.getOutputStream().write("exact".getBytes(StandardCharsets.US_ASCII));
    }

    @GetMapping("/exact-length-by-header")
    void exactLengthByHeader(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.setHeader("Content-Length", "5");
        response.getWriter().print("exact");
    }

    @GetMapping("/exact-length-told-later")
    void exactLengthToldLater(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getOutputStream().write("exact".getBytes(StandardCharsets.US_ASCII));
        response.setContentLengthLong(5);
    }

    @GetMapping("/println-and-flush")
    void printlnAndFlush(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getWriter().println("line");
        response.getWriter().flush();
    }

    @GetMapping("/flush-of-the-stream")
    void flushOfTheStream(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getOutputStream().flush();
    }

    @GetMapping("/close-of-the-stream")
    void closeOfTheStream(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getOutputStream().close();
    }

    @GetMapping("/close-of-the-writer")
    void closeOfTheWriter(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getWriter().close();
    }

    @GetMapping("/flush-buffer")
    void flushBuffer(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.flushBuffer();
        response.getWriter().print("after");
    }

    /** The token is put on the response while the body is written, and has to be replaced. */
    @GetMapping("/print-then-write")
    void printThenWrite(@RequestParam String name, HttpServletResponse response) throws IOException {
        write("before");
        response.getWriter().print(MEDIUM);
        write(name);
    }

    /** The buffer is not full when the first transaction commits, and overflows after the second. */
    @GetMapping("/print-twice")
    void printTwice(@RequestParam String name, HttpServletResponse response) throws IOException {
        write("before");
        response.getWriter().print(MEDIUM);
        write(name);
        response.getWriter().print(LARGE);
    }

    @GetMapping("/no-content")
    ResponseEntity<Void> noContent(@RequestParam String name) {
        write(name);
        return ResponseEntity.noContent().build();
    }

    @GetMapping("/send-error")
    void sendError(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.sendError(409, "told by the container");
    }

    @GetMapping("/send-error-without-message")
    void sendErrorWithoutMessage(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.sendError(409);
    }

    @GetMapping("/send-redirect")
    void sendRedirect(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.sendRedirect("/elsewhere");
    }

    @GetMapping("/send-redirect-with-status")
    void sendRedirectWithStatus(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.sendRedirect("/elsewhere", 303);
    }

    @GetMapping("/send-redirect-with-body")
    void sendRedirectWithBody(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getWriter().print("elsewhere");
        response.sendRedirect("/elsewhere", false);
    }

    @GetMapping("/send-redirect-with-status-and-body")
    void sendRedirectWithStatusAndBody(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getWriter().print("elsewhere");
        response.sendRedirect("/elsewhere", 303, false);
    }

    @GetMapping("/throw")
    void fail(@RequestParam String name) {
        write(name);
        throw new IllegalStateException("after the commit");
    }

    @GetMapping("/throw-with-status")
    void failWithStatus(@RequestParam String name) {
        write(name);
        throw new Conflict();
    }

    @ResponseStatus(HttpStatus.CONFLICT)
    static class Conflict extends RuntimeException {}

    @GetMapping("/print-then-throw")
    void printThenFail(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getWriter().print(MEDIUM);
        throw new IllegalStateException("after the commit");
    }

    @GetMapping("/callable")
    Callable<String> callable(@RequestParam String name) {
        return () -> {
            write(name);
            return "small";
        };
    }

    @GetMapping("/callable-that-fails")
    Callable<String> callableThatFails(@RequestParam String name) {
        return () -> {
            write(name);
            throw new IllegalStateException("after the commit");
        };
    }

    @GetMapping("/deferred")
    DeferredResult<String> deferred(@RequestParam String name) {
        write(name);
        DeferredResult<String> result = new DeferredResult<>();
        new Thread(() -> result.setResult("small")).start();
        return result;
    }

    @GetMapping("/streaming")
    StreamingResponseBody streaming(@RequestParam String name) {
        return out -> {
            write(name);
            out.write(LARGE.getBytes(StandardCharsets.US_ASCII));
            this.items.readYourWrites(1);
            out.write("more".getBytes(StandardCharsets.US_ASCII));
        };
    }

    @GetMapping("/streaming-then-write")
    StreamingResponseBody streamingThenWrite(@RequestParam String name) {
        return out -> {
            out.write(LARGE.getBytes(StandardCharsets.US_ASCII));
            write(name);
        };
    }

    @GetMapping("/flush-then-write")
    void flushThenWrite(@RequestParam String name, HttpServletResponse response) throws IOException {
        response.flushBuffer();
        write(name);
        response.getWriter().print("done");
    }

    @GetMapping("/events")
    SseEmitter events(@RequestParam String name) {
        write(name);
        SseEmitter emitter = new SseEmitter();
        new Thread(() -> {
                    try {
                        emitter.send("first");
                        emitter.send("second");
                        emitter.complete();
                    } catch (IOException ex) {
                        emitter.completeWithError(ex);
                    }
                })
                .start();
        return emitter;
    }

    @GetMapping("/forward")
    void forward(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        request.getRequestDispatcher("/responses/small").forward(request, response);
    }

    @GetMapping("/print")
    void print(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getWriter().print("small");
    }

    /** The container closes the response, of which nothing has been flushed. */
    @GetMapping("/forward-to-print")
    void forwardToPrint(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        request.getRequestDispatcher("/responses/print").forward(request, response);
    }

    @GetMapping("/write-then-forward")
    void writeThenForward(@RequestParam String name, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        write(name);
        request.getRequestDispatcher("/text.txt").forward(request, response);
    }

    @GetMapping("/include")
    void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        request.getRequestDispatcher("/responses/small").include(request, response);
    }

    @GetMapping("/include-large")
    void includeLarge(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        request.getRequestDispatcher("/responses/large-by-bytes").include(request, response);
    }

    @GetMapping("/reset")
    void reset(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getWriter().print(MEDIUM);
        response.reset();
        setCookies(response);
        response.setContentLength(5);
        response.getWriter().print("exact");
    }

    @GetMapping("/reset-of-the-buffer")
    void resetOfTheBuffer(@RequestParam String name, HttpServletResponse response) throws IOException {
        response.getWriter().print(MEDIUM);
        response.resetBuffer();
        write(name);
        response.getWriter().print("small");
    }

    @GetMapping("/with-http-session")
    String withHttpSession(@RequestParam String name, HttpServletRequest request) {
        request.getSession().setAttribute("key", name);
        write(name);
        return LARGE;
    }

    /** Says in public how long to keep it, once the token has been put on it. */
    @GetMapping("/public")
    void publicly(@RequestParam String name, HttpServletResponse response) throws IOException {
        write(name);
        response.getWriter().print(MEDIUM);
        response.setHeader("Cache-Control", "public, max-age=60");
    }
}
