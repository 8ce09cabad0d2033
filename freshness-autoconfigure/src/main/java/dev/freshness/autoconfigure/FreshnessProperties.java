/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.autoconfigure;

import dev.freshness.OnUnmet;
import dev.freshness.actuate.RecentDecisions;
import dev.freshness.aop.ContractOverride;
import dev.freshness.jpa.StaleContext;
import dev.freshness.monitor.MonitorSettings;
import dev.freshness.routing.ReplicaChoice.Strategy;
import dev.freshness.routing.RoutingSettings;
import dev.freshness.routing.WriterFallbackLimits;
import dev.freshness.token.TokenKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * Properties of the starter. The writer stays where it is, under {@code spring.datasource}.
 *
 * @param enforcement Whether contracts are enforced. With "observe" everything runs on the writer, and what enforcing them
 *     would have come to is counted. With "off" the starter leaves the data source alone.
 * @param rollout For how many sessions contracts are enforced, and what has to be observed before.
 * @param replicas Replicas by name. Names appear in metrics, health and headers.
 * @param maxStaleness How old the answer of a replica may be where a contract does not say. At least
 *     freshness.monitor.interval.
 * @param waitBudget How long a read waits at most for a replica to reach its client's writes where its contract does not
 *     say.
 * @param onUnmet What to do where no replica meets a contract that does not say.
 * @param contracts What contracts say in place of their annotations, by class and method: mode, max-staleness, wait-budget,
 *     on-unmet.
 * @param rerunOnConflict Whether a method is run again on the writer after a replica cancelled or lost its read-only
 *     transaction, where its annotation does not say.
 * @param zone Zone that this application runs in. Replicas of the same zone are preferred.
 * @param replicaChoice How to choose among the replicas that meet a contract.
 * @param writerFallback How many reads may fall back to the writer at once.
 * @param wrap Name of an application's own DataSource bean to use as the writer.
 * @param monitor How the positions of the nodes are watched.
 * @param token How the promise to a client is carried between requests, and how long it lasts.
 * @param jpa How persistence contexts go with contracts.
 * @param web What web requests and responses carry.
 * @param decisions What is kept of the newest decisions, for the endpoint.
 */
@ConfigurationProperties("freshness")
public record FreshnessProperties(
        @DefaultValue("enforce") Enforcement enforcement,
        @DefaultValue Rollout rollout,
        @DefaultValue Map<String, Replica> replicas,
        @DefaultValue("30s") Duration maxStaleness,
        @DefaultValue("50ms") Duration waitBudget,
        @DefaultValue("writer") Unmet onUnmet,
        @DefaultValue Map<String, Map<String, ContractOverride>> contracts,
        @DefaultValue("true") boolean rerunOnConflict,
        @Nullable String zone,
        @DefaultValue("least-loaded") ReplicaChoice replicaChoice,
        @DefaultValue WriterFallback writerFallback,
        @Nullable String wrap,
        @DefaultValue Monitor monitor,
        @DefaultValue Token token,
        @DefaultValue Jpa jpa,
        @DefaultValue Web web,
        @DefaultValue Decisions decisions) {

    private static final int HEAVIEST = dev.freshness.routing.ReplicaChoice.HEAVIEST;

    private static final String URL_OF_STANDBY =
            "Set it to the JDBC URL of the standby, for example jdbc:postgresql://host:5432/database.";

    /**
     * @throws InvalidFreshnessPropertyException if a value is not allowed
     */
    public FreshnessProperties {
        requirePositive("freshness.max-staleness", maxStaleness);
        requireReachable(maxStaleness, monitor);
        requireNotNegative("freshness.wait-budget", waitBudget);
        requireReadsCarriedElsewhere(token, web);
        contracts.forEach((type, methods) -> methods.forEach(
                (method, override) -> requireValidContract("freshness.contracts." + type + "." + method, override)));
        replicas = withoutAliases(replicas);
        replicas.forEach(FreshnessProperties::requireValidReplica);
    }

    /**
     * Leaves out what an environment variable such as FRESHNESS_REPLICAS_REPLICA1_PASSWORD adds beside replica-1. Variables
     * cannot hold dashes and property names compare without them, so the binder finds the same replica twice.
     */
    private static Map<String, Replica> withoutAliases(Map<String, Replica> replicas) {
        Map<String, Replica> kept = new LinkedHashMap<>(replicas);
        kept.keySet().removeIf(name -> replicas.keySet().stream().anyMatch(other -> isAlias(name, other)));
        return Collections.unmodifiableMap(kept);
    }

    private static boolean isAlias(String name, String other) {
        return !name.equals(other) && name.equals(other.replace("-", ""));
    }

    /** What routing is told of these properties. */
    RoutingSettings routing(int writerPoolSize) {
        long sameZone = 0;
        List<Integer> weights = new ArrayList<>();
        for (Replica replica : this.replicas.values()) {
            if (this.zone != null && this.zone.equals(replica.zone())) {
                sameZone |= 1L << weights.size();
            }
            weights.add(replica.weight());
        }
        return new RoutingSettings(
                new dev.freshness.routing.ReplicaChoice(this.replicaChoice.strategy(), weights, sameZone),
                this.token.ttl().minus(this.token.clockAllowance()),
                this.writerFallback.limits(writerPoolSize));
    }

    /** For how many of a hundred sessions contracts are enforced. */
    int enforcedPercentage() {
        return this.enforcement == Enforcement.ENFORCE ? this.rollout.percentage() : 0;
    }

    private static void requireValidReplica(String name, Replica replica) {
        if (!name.matches("[a-z0-9][a-z0-9-]{0,63}")) {
            throw new InvalidFreshnessPropertyException(
                    "freshness.replicas." + name,
                    "is not a name for a replica",
                    "Use up to 64 lower-case letters, digits and dashes, beginning with a letter or digit.");
        }
        if (name.equals(FreshnessDatabaseConfiguration.WRITER)) {
            throw new InvalidFreshnessPropertyException(
                    "freshness.replicas." + name,
                    "is the name of the writer",
                    "Give the replica another name, for example replica-1.");
        }
        if (!StringUtils.hasText(replica.url())) {
            throw new InvalidFreshnessPropertyException(
                    "freshness.replicas." + name + ".url", "is missing", URL_OF_STANDBY);
        }
        requireUrl(name, replica.url());
        requireWeight(name, replica);
    }

    private static void requireValidContract(String prefix, ContractOverride override) {
        if (override.maxStaleness() != null) {
            requirePositive(prefix + ".max-staleness", override.maxStaleness());
        }
        if (override.waitBudget() != null) {
            requireNotNegative(prefix + ".wait-budget", override.waitBudget());
        }
    }

    /** Any JDBC URL, since a driver may be wrapped: jdbc:tc:, jdbc:otel:, jdbc:aws-wrapper:. */
    private static void requireUrl(String name, String url) {
        if (!url.strip().startsWith("jdbc:")) {
            throw new InvalidFreshnessPropertyException(
                    "freshness.replicas." + name + ".url", "is not a JDBC URL", URL_OF_STANDBY);
        }
    }

    /** The staleness of a replica is known only as well as nodes are probed. */
    private static void requireReachable(Duration maxStaleness, Monitor monitor) {
        if (maxStaleness.compareTo(monitor.interval()) < 0) {
            throw new InvalidFreshnessPropertyException(
                    "freshness.max-staleness",
                    "must be at least freshness.monitor.interval, "
                            + monitor.interval().toMillis() + "ms, was " + maxStaleness.toMillis()
                            + "ms: no replica could meet it",
                    "Set it to a duration such as 500ms or 30s; a number without a unit is milliseconds.");
        }
    }

    /** A cookie on every response of a read would keep all of them out of caches, and overlapping ones would undo each other. */
    private static void requireReadsCarriedElsewhere(Token token, Web web) {
        if (token.carryReads() && web.tokenTransport().contains(TokenTransport.COOKIE)) {
            throw new InvalidFreshnessPropertyException(
                    "freshness.token.carry-reads",
                    "is true, and freshness.web.token-transport includes cookie",
                    "Set freshness.web.token-transport to header or http-session.");
        }
    }

    private static void requireWeight(String name, Replica replica) {
        if (replica.weight() < 1 || replica.weight() > HEAVIEST) {
            throw new InvalidFreshnessPropertyException(
                    "freshness.replicas." + name + ".weight",
                    "must be from 1 to " + HEAVIEST + ", was " + replica.weight(),
                    "Set it to how much of the load it can take in relation to the other replicas.");
        }
    }

    static void requirePositive(String property, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new InvalidFreshnessPropertyException(
                    property, "must be more than zero, was " + value, "Set it to a duration such as 500ms or 30s.");
        }
    }

    private static void requireNotNegative(String property, Duration value) {
        if (value.isNegative()) {
            throw new InvalidFreshnessPropertyException(
                    property, "must not be negative, was " + value, "Set it to a duration such as 50ms, or to 0s.");
        }
    }

    /** Whether contracts are enforced. */
    public enum Enforcement {

        /** Reads are routed by their contracts. */
        ENFORCE,

        /** Everything runs on the writer; what enforcing contracts would have come to is counted. */
        OBSERVE,

        /** The starter leaves the data source alone; annotations mean nothing. */
        OFF
    }

    /** What to do where no replica meets a contract. */
    public enum Unmet {

        /** Answer from the writer. */
        WRITER,

        /** Refuse with an exception. */
        REJECT;

        OnUnmet policy() {
            return this == WRITER ? OnUnmet.WRITER : OnUnmet.REJECT;
        }
    }

    /** How to choose among the replicas that meet a contract. */
    public enum ReplicaChoice {

        /** The less loaded of two that are drawn by their weights. */
        LEAST_LOADED,

        /** One after the other, each as often as its weight says. */
        ROUND_ROBIN;

        Strategy strategy() {
            return this == LEAST_LOADED ? Strategy.LEAST_LOADED : Strategy.ROUND_ROBIN;
        }
    }

    /**
     * For how many sessions contracts are enforced, and what has to be observed before.
     *
     * @param percentage For how many of a hundred sessions contracts are enforced, from 0 to 100. The others are observed.
     * @param maxWriterShare Largest share of the reads under one contract that may be predicted to run on the writer for the
     *     report to say GO, from 0 to 1.
     * @param maxRefusals Most reads under one contract that may be predicted to be refused for the report to say GO.
     */
    public record Rollout(
            @DefaultValue("100") int percentage,
            @DefaultValue("0.5") double maxWriterShare,
            @DefaultValue("0") long maxRefusals) {

        /**
         * @throws InvalidFreshnessPropertyException if a value is not allowed
         */
        public Rollout {
            if (percentage < 0 || percentage > 100) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.rollout.percentage",
                        "must be from 0 to 100, was " + percentage,
                        "Set it to how many of a hundred sessions contracts are enforced for.");
            }
            if (!(maxWriterShare >= 0 && maxWriterShare <= 1)) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.rollout.max-writer-share",
                        "must be from 0 to 1, was " + maxWriterShare,
                        "Set it to a share such as 0.5.");
            }
            if (maxRefusals < 0) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.rollout.max-refusals",
                        "must be at least 0, was " + maxRefusals,
                        "Set it to a number of reads.");
            }
        }
    }

    /**
     * A replica. What else HikariCP can be told goes under {@code hikari}; what is not set there is as for the writer.
     *
     * @param url JDBC URL of the standby.
     * @param username User of the standby. The writer's if not set.
     * @param password Password of the standby. The writer's if not set.
     * @param zone Zone that the standby runs in.
     * @param weight How much of the load it takes in relation to the other replicas, from 1 to 1000.
     */
    public record Replica(
            @Nullable String url,
            @Nullable String username,
            @Nullable String password,
            @Nullable String zone,
            @DefaultValue("1") int weight) {

        /** Leaves out the password, and the URL with it, which may hold one. */
        @Override
        public String toString() {
            return "Replica";
        }
    }

    /**
     * How the positions of the nodes are watched.
     *
     * @param interval Pause between two probes of a node.
     * @param timeout Longest time that a connect or an answer of a probe may take.
     * @param observationTtl How long an observation counts. At least three intervals and a timeout.
     */
    public record Monitor(
            @DefaultValue("100ms") Duration interval,
            @DefaultValue("1s") Duration timeout,
            @DefaultValue("2s") Duration observationTtl) {

        /**
         * @throws InvalidFreshnessPropertyException if a value is not allowed
         */
        public Monitor {
            requirePositive("freshness.monitor.interval", interval);
            requirePositive("freshness.monitor.timeout", timeout);
            Duration shortest = MonitorSettings.shortestTtl(interval, timeout);
            if (observationTtl.compareTo(shortest) < 0) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.monitor.observation-ttl",
                        "must be at least three times freshness.monitor.interval plus freshness.monitor.timeout, "
                                + shortest.toMillis() + "ms, was " + observationTtl.toMillis() + "ms",
                        "Raise it, or lower the interval or the timeout.");
            }
        }

        MonitorSettings settings() {
            return new MonitorSettings(this.interval, this.timeout, this.observationTtl);
        }
    }

    /**
     * How many reads may fall back to the writer at once, in this instance of the application.
     *
     * @param maxConcurrent Most reads that run on the writer at once because no replica met their contract. Half the
     *     writer's pool, at least 1, if not set.
     * @param maxWait Longest time that a read waits to be one of them.
     * @param reserveForHighPriority Whether half of them is kept for contracts of high priority.
     */
    public record WriterFallback(
            @Nullable Integer maxConcurrent,
            @DefaultValue("1s") Duration maxWait,
            @DefaultValue("false") boolean reserveForHighPriority) {

        /**
         * @throws InvalidFreshnessPropertyException if a value is not allowed
         */
        public WriterFallback {
            if (maxConcurrent != null && maxConcurrent < 1) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.writer-fallback.max-concurrent",
                        "must be at least 1, was " + maxConcurrent,
                        "Remove it for half the writer's pool, or use onUnmet REJECT where reads must not fall back.");
            }
            requireNotNegative("freshness.writer-fallback.max-wait", maxWait);
        }

        /** Half the writer's pool is left to writes and to whoever insists on the writer. */
        WriterFallbackLimits limits(int writerPoolSize) {
            return new WriterFallbackLimits(
                    this.maxConcurrent == null ? Math.max(1, writerPoolSize / 2) : this.maxConcurrent,
                    this.reserveForHighPriority,
                    this.maxWait);
        }
    }

    /**
     * How the promise to a client is carried between requests, and how long it lasts.
     *
     * @param ttl How long after a write its client's reads are sure to include it. The same in all instances.
     * @param clockAllowance How far the clocks of the application's instances may differ. Less than the time to live.
     * @param keys Secrets by key id that tokens are verified with, each of at least 32 bytes. The same in all instances.
     * @param signingKey Id of the key that new tokens are signed with. Not needed if there is one key only.
     * @param audience Who issues and accepts the same tokens: the same in services that share a database. The name of the
     *     application if not set.
     * @param bindToPrincipal Whether a token counts only for the user it was issued to.
     * @param carryReads Whether reads raise tokens, too, so that a client's pages never go back. Not with cookies.
     */
    public record Token(
            @DefaultValue("10m") Duration ttl,
            @DefaultValue("30s") Duration clockAllowance,
            @DefaultValue Map<String, String> keys,
            @Nullable String signingKey,
            @Nullable String audience,
            @DefaultValue("false") boolean bindToPrincipal,
            @DefaultValue("false") boolean carryReads) {

        /**
         * @throws InvalidFreshnessPropertyException if a value is not allowed
         */
        public Token {
            requireNotNegative("freshness.token.clock-allowance", clockAllowance);
            if (ttl.compareTo(clockAllowance) <= 0) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.token.ttl",
                        "must be more than freshness.token.clock-allowance, " + clockAllowance + ", was " + ttl,
                        "Raise it, or lower the allowance.");
            }
            keys = Map.copyOf(keys);
            keys.forEach(Token::requireKey);
            requireSigningKey(keys.keySet(), signingKey);
        }

        private static void requireKey(String id, String secret) {
            if (!id.matches(TokenKeys.ID)) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.token.keys." + id,
                        "is not a key id",
                        "Use up to 16 letters, digits, dashes and underscores.");
            }
            if (secret.getBytes(StandardCharsets.UTF_8).length < TokenKeys.SHORTEST_SECRET) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.token.keys." + id,
                        "has fewer than " + TokenKeys.SHORTEST_SECRET + " bytes",
                        "Set it to a random secret, for example what \"openssl rand -base64 32\" prints.");
            }
        }

        private static void requireSigningKey(Set<String> ids, @Nullable String signingKey) {
            if (signingKey == null && ids.size() > 1) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.token.signing-key",
                        "is missing, and there are several keys in freshness.token.keys",
                        "Set it to the id of the key that new tokens are signed with.");
            }
            if (signingKey != null && !ids.contains(signingKey)) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.token.signing-key",
                        "is '" + signingKey + "', and there is no such key in freshness.token.keys",
                        "Set freshness.token.keys." + signingKey + " to its secret, or choose another key.");
            }
        }

        TokenKeys tokenKeys() {
            if (this.keys.isEmpty()) {
                return TokenKeys.random();
            }
            return TokenKeys.of(
                    this.keys,
                    this.signingKey == null ? this.keys.keySet().iterator().next() : this.signingKey);
        }

        /** Leaves out the secrets. */
        @Override
        public String toString() {
            return "Token";
        }
    }

    /**
     * How persistence contexts go with contracts.
     *
     * @param staleContext What to do with a persistence context that may hold entities of a replica, before a stricter
     *     read or a read-write transaction uses it.
     */
    public record Jpa(@DefaultValue("clear") StaleContext staleContext) {}

    /**
     * What web requests and responses carry.
     *
     * @param verdictHeader Whether responses name the nodes that served them in the header Freshness-Served-By.
     * @param problemDetails Whether reads that are refused for now are answered with status 503 and problem details.
     * @param tokenTransport Where clients keep their tokens. Empty for nowhere: then the promise ends with the request.
     * @param cookie The cookie with the token.
     */
    public record Web(
            @DefaultValue("false") boolean verdictHeader,
            @DefaultValue("true") boolean problemDetails,
            @DefaultValue({"header", "cookie"}) Set<TokenTransport> tokenTransport,
            @DefaultValue TokenCookie cookie) {}

    /**
     * What is kept of the newest decisions, for the endpoint.
     *
     * @param keep How many of the newest decisions are kept. 0 for none.
     * @param sample Which share of the decisions is kept, from 0 to 1. All decisions of a request are kept or none.
     * @param correlationKeys Keys of the logging context (MDC) whose values say of which request or trace a decision was.
     */
    public record Decisions(
            @DefaultValue("0") int keep,
            @DefaultValue("1") double sample,
            @DefaultValue({"traceId", "requestId"}) List<String> correlationKeys) {

        /**
         * @throws InvalidFreshnessPropertyException if a value is not allowed
         */
        public Decisions {
            if (keep < 0 || keep > RecentDecisions.MOST) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.decisions.keep",
                        "must be from 0 to " + RecentDecisions.MOST + ", was " + keep,
                        "Set it to how many decisions you want to look back, for example 200.");
            }
            if (!(sample >= 0 && sample <= 1)) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.decisions.sample",
                        "must be from 0 to 1, was " + sample,
                        "Set it to 1 for all decisions, or for example to 0.01 for those of every hundredth request.");
            }
            correlationKeys = List.copyOf(correlationKeys);
        }
    }

    /** Where a client keeps its token. */
    public enum TokenTransport {

        /** The header Freshness-Token of requests and responses. */
        HEADER,

        /** A cookie. */
        COOKIE,

        /** The HTTP session. */
        HTTP_SESSION
    }

    /**
     * The cookie with the token.
     *
     * @param name Name of the cookie. "freshness-" and the name of the application if not set.
     * @param path Path of the cookie.
     * @param domain Domain of the cookie. The host that set it if not set.
     * @param sameSite SameSite attribute of the cookie.
     */
    public record TokenCookie(
            @Nullable String name,
            @DefaultValue("/") String path,
            @Nullable String domain,
            @DefaultValue("Lax") String sameSite) {

        /**
         * @throws InvalidFreshnessPropertyException if a value does not go into a cookie
         */
        public TokenCookie {
            if (name != null && !name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.web.cookie.name", "is not a name for a cookie", "Use letters, digits and dashes.");
            }
            if (!path.matches("/[ -:<-~]*")) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.web.cookie.path",
                        "is not a path for a cookie",
                        "Use / or a path that begins with it.");
            }
            if (domain != null && !domain.matches("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.web.cookie.domain",
                        "is not a domain for a cookie",
                        "Use a name such as example.org, or remove it for the host that sets the cookie.");
            }
            if (!sameSite.matches("(?i)Strict|Lax|None")) {
                throw new InvalidFreshnessPropertyException(
                        "freshness.web.cookie.same-site", "is none of what browsers know", "Use Strict, Lax or None.");
            }
        }
    }
}
