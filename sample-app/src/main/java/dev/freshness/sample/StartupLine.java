/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import dev.freshness.autoconfigure.FreshnessProperties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The one line of the log that says where the service listens and which nodes there are. */
@Component
class StartupLine {

    private static final Logger logger = LoggerFactory.getLogger(StartupLine.class);

    private final DataSourceProperties writer;
    private final FreshnessProperties freshness;

    StartupLine(DataSourceProperties writer, FreshnessProperties freshness) {
        this.writer = writer;
        this.freshness = freshness;
    }

    @EventListener
    void ready(ApplicationReadyEvent event) {
        logger.info(
                "Listening on http://localhost:{}, writer at {}, {}",
                event.getApplicationContext().getEnvironment().getProperty("local.server.port"),
                address(writer.getUrl()),
                freshness.replicas().entrySet().stream()
                        .map(replica -> replica.getKey() + " at "
                                + address(replica.getValue().url()))
                        .collect(Collectors.joining(", ")));
    }

    /** Without the parameters, which may hold a password. */
    private static String address(@Nullable String url) {
        return String.valueOf(url).replaceFirst("\\?.*", "");
    }
}
