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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The session of one request: opened from the tokens that came with it, and put into one before the response is committed.
 *
 * <p>What it does when it cannot know: a request without a valid token is that of a client that has written nothing. A token
 * that is due once the response is committed cannot be sent any more; that is counted, and said once.
 *
 * <p>Used by one thread at a time, from one dispatch of the request to the next.
 */
final class TokenExchange implements BeforeCommitResponse.Hook {

    private final RequestTokens settings;

    private final TokenTrouble trouble;

    private final HttpServletRequest request;

    private final FreshnessSession session;

    /** Whether the client sent several tokens in headers and has to be told what they come to. */
    private final boolean several;

    private @Nullable String token;

    private final Set<FreshnessTokenTransport> writtenTo = new LinkedHashSet<>(2);

    /** Whether the token tells no more than those that came in headers, so that nothing else has to be replaced. */
    private boolean onlyMerged;

    /** What the session had come to when the token was made. */
    private int tokenVersion = -1;

    /** What the session had come to when the token was put on the response. */
    private int version = -1;

    /** How often the session had written when a token was last put, or tried to be put, on the response. */
    private int writesTold;

    private TokenExchange(
            RequestTokens settings,
            TokenTrouble trouble,
            HttpServletRequest request,
            FreshnessSession session,
            boolean several) {
        this.settings = settings;
        this.trouble = trouble;
        this.request = request;
        this.session = session;
        this.several = several;
    }

    static TokenExchange open(
            RequestTokens settings, TokenTrouble trouble, HttpServletRequest request, SessionListener listener) {
        SessionListener counting = new SessionListener() {
            @Override
            public void servedBy(List<String> nodes) {
                listener.servedBy(nodes);
            }

            @Override
            public void judged(String database, Judgement judgement) {
                settings.tokens().count(judgement);
            }
        };
        boolean several = false;
        boolean allRead = true;
        Set<String> texts = new LinkedHashSet<>();
        for (FreshnessTokenTransport transport : settings.transports()) {
            try {
                List<String> read = transport.read(request);
                several |= transport instanceof HeaderTransport && new LinkedHashSet<>(read).size() > 1;
                texts.addAll(read);
            } catch (RuntimeException ex) {
                trouble.notRead(ex);
                allRead = false;
            }
        }
        FreshnessSession session = allRead
                ? FreshnessSession.ofNewClient(counting)
                : FreshnessSession.ofUnknownClient(System.nanoTime(), counting);
        List<TokenResult> results =
                settings.tokens().carry(session, new ArrayList<>(texts), principal(settings, request));
        several &= results.stream().filter(TokenResult.VALID::equals).count() > 1;
        return new TokenExchange(settings, trouble, request, session, several);
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
        int writes = this.session.writes();
        try {
            put(response, now);
        } catch (RuntimeException ex) {
            // The response is the application's; without a token its client may have to wait for its own writes.
            this.trouble.notWritten(ex);
        }
        // Whatever came of it: what fails once for each write of a body would fail a thousand times.
        this.version = now;
        this.writesTold = writes;
    }

    /** An error may have cleared what was put on it, or a handler have changed it. */
    private boolean isCarriedBy(HttpServletResponse response) {
        String written = this.token;
        return written == null || this.writtenTo.stream().allMatch(transport -> transport.carries(response, written));
    }

    /** Grows with each write and each doubt. */
    private int version() {
        return this.session.changes();
    }

    private void put(HttpServletResponse response, int now) {
        boolean first = this.token == null;
        for (FreshnessTokenTransport transport : this.settings.transports()) {
            try {
                Object lock = this.session.writes() == 0 ? null : transport.lock(this.request);
                if (lock == null) {
                    write(transport, response, due(now));
                } else {
                    synchronized (lock) {
                        // Another request of this client may have left a higher one meanwhile.
                        List<String> others = newIn(transport);
                        if (!others.isEmpty()) {
                            this.settings.tokens().carry(this.session, others, principal(this.settings, this.request));
                            this.tokenVersion = -1;
                        }
                        write(transport, response, due(now));
                    }
                }
            } catch (RuntimeException ex) {
                this.writtenTo.remove(transport);
                this.trouble.notWritten(ex);
            }
        }
        if (first && this.token != null) {
            this.settings.tokens().count(TokenResult.ISSUED);
        }
    }

    private List<String> newIn(FreshnessTokenTransport transport) {
        return transport.read(this.request).stream()
                .filter(text -> !text.equals(this.token))
                .toList();
    }

    /** The same as before where nothing has changed since. */
    private @Nullable String due(int now) {
        if (this.tokenVersion != now) {
            String principal = principal(this.settings, this.request);
            this.token = this.settings.tokens().due(this.session, principal);
            this.onlyMerged = this.token == null && this.several;
            if (this.onlyMerged) {
                this.token = this.settings.tokens().current(this.session, principal);
            }
            this.tokenVersion = now;
        }
        return this.token;
    }

    private void write(FreshnessTokenTransport transport, HttpServletResponse response, @Nullable String due) {
        if (due != null && (!this.onlyMerged || transport instanceof HeaderTransport)) {
            transport.write(this.request, response, due, this.settings.tokens().life());
            this.writtenTo.add(transport);
        }
    }

    /** The request is over. */
    void finish(HttpServletResponse response) {
        if (!response.isCommitted()) {
            beforeCommit(response);
        } else if (this.session.writes() > this.writesTold || !isCarriedBy(response)) {
            this.settings.tokens().count(TokenResult.TOO_LATE);
            this.trouble.tooLate(this.request);
        }
    }
}
