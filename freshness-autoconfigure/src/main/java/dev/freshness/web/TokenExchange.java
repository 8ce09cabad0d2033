/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import dev.freshness.session.FreshnessSession;
import dev.freshness.session.Judgement;
import dev.freshness.session.SessionListener;
import dev.freshness.token.TokenResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of one request: opened from the tokens that came with it, and put into one before the response is committed.
 *
 * <p>What it does when it cannot know: a request without a valid token is that of a client that has written nothing. A token
 * that is due once the response is committed cannot be sent any more; that is counted, and said once.
 *
 * <p>Used by one thread at a time, from one dispatch of the request to the next.
 */
final class TokenExchange implements BeforeCommitResponse.Hook {

    private static final Logger logger = LoggerFactory.getLogger(TokenExchange.class);

    private static final AtomicBoolean TOLD_TOO_LATE = new AtomicBoolean();

    private static final AtomicBoolean TOLD_FAILED = new AtomicBoolean();

    private final RequestTokens settings;

    private final HttpServletRequest request;

    private final FreshnessSession session;

    /** Whether the client sent several tokens in headers and has to be told what they come to. */
    private final boolean several;

    private @Nullable String token;

    private final Set<FreshnessTokenTransport> writtenTo = new LinkedHashSet<>(2);

    /** What the session had come to when the token was put on the response. */
    private int version = -1;

    private TokenExchange(
            RequestTokens settings, HttpServletRequest request, FreshnessSession session, boolean several) {
        this.settings = settings;
        this.request = request;
        this.session = session;
        this.several = several;
    }

    static TokenExchange open(RequestTokens settings, HttpServletRequest request, SessionListener listener) {
        FreshnessSession session = FreshnessSession.ofNewClient(new SessionListener() {
            @Override
            public void servedBy(List<String> nodes) {
                listener.servedBy(nodes);
            }

            @Override
            public void judged(String database, Judgement judgement) {
                settings.tokens().count(judgement);
            }
        });
        boolean several = false;
        Set<String> texts = new LinkedHashSet<>();
        for (FreshnessTokenTransport transport : settings.transports()) {
            List<String> read = transport.read(request);
            several |= transport instanceof HeaderTransport && new LinkedHashSet<>(read).size() > 1;
            texts.addAll(read);
        }
        List<TokenResult> results =
                settings.tokens().carry(session, new ArrayList<>(texts), principal(settings, request));
        several &= results.stream().filter(TokenResult.VALID::equals).count() > 1;
        return new TokenExchange(settings, request, session, several);
    }

    private static @Nullable String principal(RequestTokens settings, HttpServletRequest request) {
        Principal principal = settings.boundToPrincipal() ? request.getUserPrincipal() : null;
        return principal == null ? null : principal.getName();
    }

    FreshnessSession session() {
        return this.session;
    }

    @Override
    public void beforeCommit(HttpServletResponse response) {
        int now = version();
        if (now == this.version && isCarriedBy(response)) {
            return;
        }
        try {
            put(response);
            this.version = now;
        } catch (RuntimeException ex) {
            // The response is the application's; without a token its client may have to wait for its own writes.
            if (TOLD_FAILED.compareAndSet(false, true)) {
                logger.warn("A freshness token could not be put on a response; this is said once", ex);
            }
        }
    }

    private boolean isCarriedBy(HttpServletResponse response) {
        String written = this.token;
        return written == null || this.writtenTo.stream().allMatch(transport -> transport.carries(response, written));
    }

    /** Grows with each write and each doubt. */
    private int version() {
        return this.session.changes();
    }

    private void put(HttpServletResponse response) {
        List<FreshnessTokenTransport> transports = this.settings.transports();
        String due = null;
        for (FreshnessTokenTransport transport : transports) {
            Object lock = this.session.writes() == 0 ? null : transport.lock(this.request);
            if (lock == null) {
                due = due == null ? due() : due;
                write(transport, response, due);
            } else {
                synchronized (lock) {
                    // Another request of this client may have left a higher one meanwhile.
                    this.settings
                            .tokens()
                            .carry(this.session, newIn(transport), principal(this.settings, this.request));
                    due = due();
                    write(transport, response, due);
                }
            }
        }
        if (due == null && this.several) {
            due = this.settings.tokens().current(this.session, principal(this.settings, this.request));
            for (FreshnessTokenTransport transport : transports) {
                write(transport instanceof HeaderTransport ? transport : null, response, due);
            }
        }
        if (due != null) {
            if (this.token == null) {
                this.settings.tokens().count(TokenResult.ISSUED);
            }
            this.token = due;
        }
    }

    private List<String> newIn(FreshnessTokenTransport transport) {
        return transport.read(this.request).stream()
                .filter(text -> !text.equals(this.token))
                .toList();
    }

    private @Nullable String due() {
        return this.settings.tokens().due(this.session, principal(this.settings, this.request));
    }

    private void write(
            @Nullable FreshnessTokenTransport transport, HttpServletResponse response, @Nullable String due) {
        if (transport != null && due != null) {
            transport.write(this.request, response, due, this.settings.tokens().life());
            this.writtenTo.add(transport);
        }
    }

    /** The request is over. */
    void finish(HttpServletResponse response) {
        if (!response.isCommitted()) {
            beforeCommit(response);
        } else if (this.session.writes() > 0 && (version() != this.version || !isCarriedBy(response))) {
            this.settings.tokens().count(TokenResult.TOO_LATE);
            if (TOLD_TOO_LATE.compareAndSet(false, true)) {
                logger.warn(
                        "{} {} committed a transaction after its response had been committed, so that its client has no"
                                + " freshness token of it; this is said once",
                        this.request.getMethod(),
                        Objects.requireNonNullElse(this.request.getServletPath(), ""));
            }
        }
    }
}
