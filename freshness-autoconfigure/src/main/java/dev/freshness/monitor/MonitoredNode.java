/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.monitor;

import java.time.Duration;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A node as the monitor reaches it: by a connection of its own, outside of the request pools.
 *
 * @param name the node's name, unique in its database
 * @param url its JDBC URL
 * @param username the user, null for none
 * @param password the password, null for none
 * @param driverProperties what else the driver is told on the pool's connections, for example for TLS
 */
public record MonitoredNode(
        String name,
        String url,
        @Nullable String username,
        @Nullable String password,
        Properties driverProperties) {

    /** Parameters of a URL that would win over the monitor's own. */
    private static final Pattern TIMEOUTS =
            Pattern.compile("(?<=[?&])(connectTimeout|socketTimeout|loginTimeout)=[^&]*(&|$)");

    /** The URL without timeouts that are meant for the pool's connections. */
    String probeUrl() {
        return TIMEOUTS.matcher(this.url).replaceAll("");
    }

    Properties connectionProperties(Duration timeout) {
        Properties properties = new Properties();
        for (String property : this.driverProperties.stringPropertyNames()) {
            properties.setProperty(property, this.driverProperties.getProperty(property));
        }
        if (this.username != null) {
            properties.setProperty("user", this.username);
        }
        if (this.password != null) {
            properties.setProperty("password", this.password);
        }
        String seconds = Long.toString(Math.max(1, timeout.plusMillis(999).toSeconds()));
        properties.setProperty("connectTimeout", seconds);
        properties.setProperty("socketTimeout", seconds);
        properties.setProperty("ApplicationName", "freshness-monitor");
        properties.setProperty("tcpKeepAlive", "true");
        return properties;
    }

    /** Leaves the password out, and the URL with it, which may hold one. */
    @Override
    public String toString() {
        return "MonitoredNode[" + this.name + "]";
    }
}
