/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import dev.freshness.ReplicaConflictException;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.WriterFallbackExhaustedException;
import dev.freshness.WriterUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Handlers whose reads are refused, since what the same request has written is on no replica. */
@RestController
@RequestMapping("/refused")
@Import(ItemRequests.class)
class RefusedRequests {

    /** Of all that must not be told to clients. */
    static final String INTERNALS = "replica-1 at jdbc:postgresql://host:5432/db: select secret from item";

    private final Items items;

    RefusedRequests(Items items) {
        this.items = items;
    }

    private Where read() {
        this.items.write(1, "new");
        return this.items.readYourWritesOrReject(1);
    }

    @GetMapping("/read")
    Where refused() {
        return read();
    }

    @GetMapping("/text")
    String text() {
        return String.valueOf(read().value());
    }

    @GetMapping("/callable")
    Callable<Where> callable() {
        return this::read;
    }

    @GetMapping("/deferred")
    DeferredResult<Where> deferred() {
        DeferredResult<Where> result = new DeferredResult<>();
        try {
            result.setResult(read());
        } catch (StaleReadNotAllowedException ex) {
            new Thread(() -> result.setErrorResult(ex)).start();
        }
        return result;
    }

    @GetMapping("/streaming")
    StreamingResponseBody streaming() {
        return out -> out.write(String.valueOf(read().value()).getBytes(StandardCharsets.UTF_8));
    }

    @GetMapping("/streaming-in-the-buffer")
    StreamingResponseBody streamingInTheBuffer() {
        return out -> {
            out.write("begun".getBytes(StandardCharsets.UTF_8));
            read();
        };
    }

    @GetMapping("/streaming-on-its-way")
    StreamingResponseBody streamingOnItsWay() {
        return out -> {
            out.write(ResponseRequests.LARGE.getBytes(StandardCharsets.UTF_8));
            read();
        };
    }

    @GetMapping("/fallback-exhausted")
    String fallbackExhausted() {
        throw new WriterFallbackExhaustedException(INTERNALS);
    }

    @GetMapping("/writer-unavailable")
    String writerUnavailable() {
        throw new WriterUnavailableException(INTERNALS);
    }

    @GetMapping("/replica-conflict")
    String replicaConflict() {
        throw new ReplicaConflictException(INTERNALS, new IllegalStateException(INTERNALS));
    }

    @GetMapping("/wrapped")
    String wrapped() {
        throw new IllegalStateException(INTERNALS, new StaleReadNotAllowedException(INTERNALS));
    }
}
