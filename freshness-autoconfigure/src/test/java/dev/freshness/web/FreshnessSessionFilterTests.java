/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.session.Floor;
import dev.freshness.session.FreshnessSession;
import dev.freshness.session.ThreadScope;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class FreshnessSessionFilterTests {

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    private final MockHttpServletResponse response = new MockHttpServletResponse();

    private final List<FreshnessSession> sessions = new ArrayList<>();

    private final FilterChain noting =
            (request, response) -> this.sessions.add(ThreadScope.current().session());

    @AfterEach
    void nothingIsLeftOnTheThread() {
        assertThat(ThreadScope.current()).isNull();
    }

    @Test
    void aRequestStartsWithAnEmptyHistory() throws Exception {
        new FreshnessSessionFilter(false, null).doFilter(this.request, this.response, this.noting);
        assertThat(this.sessions.get(0).floor("default")).isSameAs(Floor.none());
    }

    @Test
    void everyRequestHasItsOwnSession() throws Exception {
        FreshnessSessionFilter filter = new FreshnessSessionFilter(false, null);
        filter.doFilter(this.request, this.response, this.noting);
        filter.doFilter(new MockHttpServletRequest(), this.response, this.noting);
        assertThat(this.sessions.get(0)).isNotSameAs(this.sessions.get(1));
    }

    @Test
    void laterDispatchesGoOnInTheSessionOfTheirRequest() throws Exception {
        FreshnessSessionFilter filter = new FreshnessSessionFilter(false, null);
        filter.doFilter(this.request, this.response, this.noting);
        this.request.setDispatcherType(DispatcherType.ASYNC);
        filter.doFilter(this.request, this.response, this.noting);
        this.request.setDispatcherType(DispatcherType.ERROR);
        filter.doFilter(this.request, this.response, this.noting);
        assertThat(this.sessions).hasSize(3).containsOnly(this.sessions.get(0));
    }

    @Test
    void endsWhateverTheExit() {
        assertThatThrownBy(() -> new FreshnessSessionFilter(false, null)
                        .doFilter(this.request, this.response, (request, response) -> {
                            throw new IllegalStateException("thrown by a handler");
                        }))
                .hasMessage("thrown by a handler");
    }

    @Test
    void theVerdictHeaderNamesNodesInOrderOfFirstUse() throws Exception {
        new FreshnessSessionFilter(true, null).doFilter(this.request, this.response, (request, response) -> {
            FreshnessSession session = ThreadScope.current().session();
            session.servedBy("replica-1");
            session.servedBy("writer");
            session.servedBy("replica-1");
        });
        assertThat(this.response.getHeader(FreshnessSessionFilter.SERVED_BY)).isEqualTo("replica-1, writer");
    }

    @Test
    void theVerdictHeaderIsOffUnlessAskedFor() throws Exception {
        new FreshnessSessionFilter(false, null)
                .doFilter(
                        this.request,
                        this.response,
                        (request, response) -> ThreadScope.current().session().servedBy("writer"));
        assertThat(this.response.getHeader(FreshnessSessionFilter.SERVED_BY)).isNull();
    }

    @Test
    void aResponseThatIsOnItsWayIsLeftAlone() throws Exception {
        new FreshnessSessionFilter(true, null).doFilter(this.request, this.response, (request, response) -> {
            response.flushBuffer();
            ThreadScope.current().session().servedBy("writer");
        });
        assertThat(this.response.getHeader(FreshnessSessionFilter.SERVED_BY)).isNull();
    }
}
