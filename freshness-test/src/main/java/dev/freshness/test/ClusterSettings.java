/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.test;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What distinguishes one cluster from another before it is started. Equal settings may share a cluster.
 *
 * @param passwordRequired whether the servers ask for the password, or trust everybody on this machine
 */
record ClusterSettings(
        List<String> replicas,
        Map<String, String> serverSettings,
        String database,
        String username,
        String password,
        boolean passwordRequired) {

    static final String PRIMARY = "primary";

    /** Names end up in paths, connection strings and property names, so they are kept plain. */
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,39}");

    private static final Pattern SETTING_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");

    /** The library keeps these itself; overriding them would break its controls. */
    private static final Set<String> OWN_SETTINGS = Set.of(
            "port", "listen_addresses", "unix_socket_directories", "primary_conninfo", "recovery_min_apply_delay");

    // Below the patterns, which its constructor needs.
    static final ClusterSettings DEFAULT =
            new ClusterSettings(replicaNames(1), Map.of(), "postgres", "postgres", "postgres", false);

    ClusterSettings {
        replicas = List.copyOf(replicas);
        serverSettings = Collections.unmodifiableMap(new TreeMap<>(serverSettings));
        replicas.forEach(ClusterSettings::requireNodeName);
        if (Set.copyOf(replicas).size() != replicas.size()) {
            throw new IllegalArgumentException("Two replicas of one name: " + replicas);
        }
        requireIdentifier("database", database);
        requireIdentifier("username", username);
        if (password.isEmpty() || password.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The password is empty or has control characters");
        }
        serverSettings.keySet().forEach(ClusterSettings::requireSettingName);
    }

    static List<String> replicaNames(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("Not a number of replicas: " + count);
        }
        return IntStream.rangeClosed(1, count).mapToObj(i -> "replica-" + i).toList();
    }

    static void requireNodeName(String name) {
        if (!NAME.matcher(name).matches() || name.equals(PRIMARY)) {
            throw new IllegalArgumentException(
                    "A replica's name must match " + NAME + " and not be '" + PRIMARY + "': '" + name + "'");
        }
    }

    private static void requireIdentifier(String what, String value) {
        if (!NAME.matcher(value).matches()) {
            throw new IllegalArgumentException("The " + what + " must match " + NAME + ": '" + value + "'");
        }
    }

    private static void requireSettingName(String name) {
        if (!SETTING_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Not a name of a server setting: '" + name + "'");
        }
        if (OWN_SETTINGS.contains(name)) {
            throw new IllegalArgumentException("The setting " + name + " is kept by the library");
        }
    }

    ClusterSettings withReplicas(List<String> names) {
        return new ClusterSettings(names, serverSettings, database, username, password, passwordRequired);
    }

    ClusterSettings withServerSetting(String name, String value) {
        Map<String, String> more = new TreeMap<>(serverSettings);
        more.put(name, value);
        return new ClusterSettings(replicas, more, database, username, password, passwordRequired);
    }

    ClusterSettings withDatabase(String name) {
        return new ClusterSettings(replicas, serverSettings, name, username, password, passwordRequired);
    }

    ClusterSettings withUsername(String name) {
        return new ClusterSettings(replicas, serverSettings, database, name, password, passwordRequired);
    }

    ClusterSettings withRequiredPassword(String secret) {
        return new ClusterSettings(replicas, serverSettings, database, username, secret, true);
    }

    /** Without the password, since settings appear in messages. */
    @Override
    public String toString() {
        return "replicas " + replicas + ", server settings " + serverSettings + ", database " + database + ", user "
                + username;
    }
}
