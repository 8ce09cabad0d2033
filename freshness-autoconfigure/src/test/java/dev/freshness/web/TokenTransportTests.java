/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.Cookie;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class TokenTransportTests {

    private static final Duration LIFE = Duration.ofMinutes(10);

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    private final MockHttpServletResponse response = new MockHttpServletResponse();

    private final FreshnessTokenTransport header = new HeaderTransport();

    private final FreshnessTokenTransport cookie = new CookieTransport("token", "/", null, "Lax");

    private final FreshnessTokenTransport session = new HttpSessionTransport();

    @Test
    void withoutAnyThereIsNone() {
        assertThat(this.header.read(this.request)).isEmpty();
        assertThat(this.cookie.read(this.request)).isEmpty();
        assertThat(this.session.read(this.request)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "one                | one",
                "one,two            | one;two",
                " one ,\ttwo , three | one;two;three",
                "one,,two,          | one;two",
                "`,`                |",
                "`  `               |",
                "1,2,3,4,5,6,7      | 1;2;3;4;5",
            })
    void headersHoldSeveral(String value, String texts) {
        this.request.addHeader("freshness-token", value);
        assertThat(this.header.read(this.request)).isEqualTo(texts == null ? List.of() : List.of(texts.split(";")));
    }

    @Test
    void severalHeadersAreRead() {
        this.request.addHeader(HeaderTransport.HEADER, "1, 2");
        this.request.addHeader(HeaderTransport.HEADER, "3");
        this.request.addHeader(HeaderTransport.HEADER, "4, 5, 6");
        this.request.addHeader(HeaderTransport.HEADER, "7");
        assertThat(this.header.read(this.request)).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void moreThanAreLookedAtAreNotRead() {
        this.request.addHeader(HeaderTransport.HEADER, ",".repeat(10_000));
        this.request.addHeader(HeaderTransport.HEADER, "a,".repeat(10_000));
        this.request.addHeader(HeaderTransport.HEADER, "b,".repeat(10_000));
        assertThat(this.header.read(this.request)).containsExactly("a", "a", "a", "a", "a");
    }

    @Test
    void aHeaderTakesThePlaceOfTheOneBefore() {
        this.header.write(this.request, this.response, "first", LIFE);
        this.header.write(this.request, this.response, "second", LIFE);
        assertThat(this.response.getHeaders(HeaderTransport.HEADER)).containsExactly("second");
        assertThat(this.response.getHeader("Cache-Control")).isEqualTo("private, no-cache");
    }

    @Test
    void onlyTheCookieOfThatNameIsRead() {
        this.request.setCookies(
                new Cookie("token", "one"),
                new Cookie("tokens", "x"),
                new Cookie("Token", "x"),
                new Cookie("token", ""),
                new Cookie("token", null));
        assertThat(this.cookie.read(this.request)).containsExactly("one", "", "");
    }

    @Test
    void theCookieIsForTheServerOnly() {
        this.cookie.write(this.request, this.response, "one", LIFE);
        assertThat(attributes())
                .startsWith("token=one")
                .contains("Path=/", "Max-Age=600", "HttpOnly", "SameSite=Lax")
                .doesNotContain("Secure")
                .noneMatch(attribute -> attribute.startsWith("Domain"));
        assertThat(this.response.getHeader("Cache-Control")).isEqualTo("private, no-cache");
    }

    @Test
    void theCookieIsSecureWhereTheRequestIs() {
        this.request.setSecure(true);
        this.cookie.write(this.request, this.response, "one", LIFE);
        assertThat(attributes()).contains("Secure");
    }

    @Test
    void theCookieIsForWhatTheApplicationSays() {
        new CookieTransport("own", "/shop", "example.org", "Strict").write(this.request, this.response, "one", LIFE);
        assertThat(attributes())
                .startsWith("own=one")
                .contains("Path=/shop", "Domain=example.org", "SameSite=Strict", "HttpOnly");
    }

    private List<String> attributes() {
        assertThat(this.response.getHeaders("Set-Cookie")).hasSize(1);
        return List.of(this.response.getHeaders("Set-Cookie").get(0).split("; "));
    }

    @Test
    void theCookieTakesThePlaceOfTheOneBeforeAndNoOther() {
        this.response.addHeader("Set-Cookie", "a=1; Path=/");
        this.cookie.write(this.request, this.response, "first", LIFE);
        this.response.addHeader("Set-Cookie", "tokens=2; Path=/");
        this.cookie.write(this.request, this.response, "second", LIFE);
        this.response.addHeader("Set-Cookie", "b=3; Path=/");
        this.cookie.write(this.request, this.response, "third", LIFE);
        assertThat(this.response.getHeaders("Set-Cookie").stream()
                        .map(text -> text.substring(0, (text + ";").indexOf(';'))))
                .containsExactlyInAnyOrder("a=1", "tokens=2", "b=3", "token=third");
    }

    @Test
    void readingMakesNoHttpSession() {
        assertThat(this.session.read(this.request)).isEmpty();
        assertThat(this.request.getSession(false)).isNull();
    }

    @Test
    void anHttpSessionKeepsTheNewest() {
        this.session.write(this.request, this.response, "first", LIFE);
        this.session.write(this.request, this.response, "second", LIFE);
        assertThat(this.session.read(this.request)).containsExactly("second");
        assertThat(this.response.getHeaderNames()).isEmpty();
    }

    @Test
    void whatElseIsInThatPlaceOfAnHttpSessionIsNoToken() {
        this.request.getSession().setAttribute(HttpSessionTransport.ATTRIBUTE, 1);
        assertThat(this.session.read(this.request)).isEmpty();
    }

    @Test
    void onlyRequestsThatShareTheirPlaceExcludeEachOther() {
        MockHttpServletRequest other = new MockHttpServletRequest();
        other.setSession(this.request.getSession());
        assertThat(this.session.lock(this.request)).isNotNull().isSameAs(this.session.lock(other));
        assertThat(this.header.lock(this.request)).isNull();
        assertThat(this.cookie.lock(this.request)).isNull();
    }
}
