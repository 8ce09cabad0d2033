/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import dev.freshness.test.PostgresNode;
import dev.freshness.test.ReplicatedPostgres;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Makes the embedded standbys lag, so that the contracts can be seen at work. */
@RestController
@RequestMapping("/lab/replicas/{name}")
@Profile("!" + EmbeddedServers.EXTERNAL)
class LabController {

    private final ReplicatedPostgres cluster;

    LabController(ReplicatedPostgres cluster) {
        this.cluster = cluster;
    }

    /** The standby shows nothing new from now on. */
    @PostMapping("/pause")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void pause(@PathVariable String name) {
        replica(name).pauseReplay();
    }

    /** The standby begins to catch up. */
    @PostMapping("/resume")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void resume(@PathVariable String name) {
        replica(name).resumeReplay();
    }

    private PostgresNode replica(String name) {
        return cluster.replicas().stream()
                .filter(replica -> replica.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NotFoundException("replica", name));
    }
}
