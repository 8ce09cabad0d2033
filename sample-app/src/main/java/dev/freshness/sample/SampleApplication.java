/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The sample service. With the profile {@code external} it uses your servers, without it brings its own. */
@SpringBootApplication
public class SampleApplication {

    /**
     * Starts the service.
     *
     * @param args as Spring Boot takes them
     */
    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(SampleApplication.class);
        application.addInitializers(new EmbeddedServers());
        application.run(args);
    }
}
