/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.test.json.JsonCompareMode;

class ProfilesTest extends SampleTest {

    @BeforeEach
    void noProfiles() {
        cluster.primary().execute("DELETE FROM profile");
        cluster.awaitCaughtUp();
    }

    @Test
    void aProfileIsCreatedRenamedAndRead() {
        put("/profiles/1", "{\"displayName\": \"Ada\"}")
                .expectStatus()
                .isOk()
                .expectHeader()
                .value(SERVED_BY, nodes -> assertThat(nodes).startsWith("writer"))
                .expectBody()
                .json("{\"id\": 1, \"displayName\": \"Ada\", \"version\": 0}", JsonCompareMode.STRICT);
        put("/profiles/1", "{\"displayName\": \"Ada Lovelace\"}")
                .expectStatus()
                .isOk()
                .expectBody()
                .json("{\"id\": 1, \"displayName\": \"Ada Lovelace\", \"version\": 1}", JsonCompareMode.STRICT);
        cluster.awaitCaughtUp();

        get("/profiles/1")
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueMatches(SERVED_BY, REPLICA)
                .expectBody()
                .json("{\"id\": 1, \"displayName\": \"Ada Lovelace\", \"version\": 1}", JsonCompareMode.STRICT);
    }

    @Test
    void aRequestSeesItsOwnWriteWhileTheReplicasAreBehind() {
        put("/profiles/1", "{\"displayName\": \"Ada\"}").expectStatus().isOk();
        cluster.awaitCaughtUp();
        pauseReplicas();

        put("/profiles/1", "{\"displayName\": \"Grace\"}")
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueEquals(SERVED_BY, "writer")
                .expectBody()
                .json("{\"id\": 1, \"displayName\": \"Grace\", \"version\": 1}", JsonCompareMode.STRICT);
    }

    @Test
    void permissionsAreThoseOfNowWhileTheReplicasAreBehind() {
        put("/profiles/1", "{\"displayName\": \"Ada\"}").expectStatus().isOk();
        pauseReplicas();

        client.put()
                .uri("/profiles/1/permissions/orders:place")
                .exchange()
                .expectStatus()
                .isNoContent()
                .expectHeader()
                .valueEquals(SERVED_BY, "writer");
        client.put()
                .uri("/profiles/1/permissions/admin")
                .exchange()
                .expectStatus()
                .isNoContent();
        expectPermissions("[\"admin\", \"orders:place\"]");

        client.delete()
                .uri("/profiles/1/permissions/admin")
                .exchange()
                .expectStatus()
                .isNoContent();
        expectPermissions("[\"orders:place\"]");
    }

    private void expectPermissions(String json) {
        get("/profiles/1/permissions")
                .expectStatus()
                .isOk()
                .expectHeader()
                .valueEquals(SERVED_BY, "writer")
                .expectBody()
                .json(json, JsonCompareMode.STRICT);
    }

    @Test
    void grantingAndRevokingMayBeRepeated() {
        put("/profiles/1", "{\"displayName\": \"Ada\"}").expectStatus().isOk();
        for (int i = 0; i < 2; i++) {
            client.put()
                    .uri("/profiles/1/permissions/admin")
                    .exchange()
                    .expectStatus()
                    .isNoContent();
        }
        for (int i = 0; i < 2; i++) {
            client.delete()
                    .uri("/profiles/1/permissions/admin")
                    .exchange()
                    .expectStatus()
                    .isNoContent();
        }
        expectPermissions("[]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/profiles/99", "/profiles/99/permissions"})
    void anUnknownProfileIsNotFound(String uri) {
        get(uri).expectStatus()
                .isNotFound()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("There is no profile 99");
    }

    @Test
    void anUnknownProfileGetsNoPermission() {
        client.put()
                .uri("/profiles/99/permissions/admin")
                .exchange()
                .expectStatus()
                .isNotFound();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"displayName\": null}", "{\"displayName\": \" \"}"})
    void aDisplayNameIsNotBlank(String json) {
        put("/profiles/1", json)
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.errors.displayName")
                .isEqualTo("must not be blank");
    }

    @Test
    void aDisplayNameHasAtMostAHundredCharacters() {
        put("/profiles/1", "{\"displayName\": \"" + "x".repeat(100) + "\"}")
                .expectStatus()
                .isOk();
        put("/profiles/1", "{\"displayName\": \"" + "x".repeat(101) + "\"}")
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors.displayName")
                .exists();
    }

    @Test
    void aPermissionIsAWord() {
        client.put()
                .uri("/profiles/1/permissions/{permission}", "Not a word")
                .exchange()
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.errors.permission")
                .exists();
    }

    @Test
    void anIdIsANumber() {
        get("/profiles/ada")
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON);
    }
}
