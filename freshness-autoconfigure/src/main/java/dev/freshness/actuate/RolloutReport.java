/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Whether contracts can be enforced, by what enforcing them would have come to.
 *
 * @param percentage of how many of a hundred sessions contracts are enforced
 * @param verdict {@code GO}, {@code NO-GO}, or {@code NO-DATA} where no read was observed
 * @param objections what speaks against it, one line each; none with {@code GO}
 * @param contracts what was counted, by database and contract
 */
public record RolloutReport(
        int percentage, String verdict, List<String> objections, Map<String, Map<String, Line>> contracts)
        implements OperationResponseBody {

    /** Makes the parts unmodifiable. */
    public RolloutReport {
        objections = List.copyOf(objections);
        contracts = Collections.unmodifiableMap(new LinkedHashMap<>(contracts));
    }

    static RolloutReport of(ContractCounts counts, int percentage, RolloutThresholds thresholds) {
        Map<String, Map<String, Line>> databases = new LinkedHashMap<>();
        List<String> objections = new ArrayList<>();
        long observed = 0;
        for (Map.Entry<ContractCounts.Key, ContractCounts.Counts> entry :
                counts.all().entrySet()) {
            ContractCounts.Key key = entry.getKey();
            Line line = Line.of(key.mode(), entry.getValue());
            databases
                    .computeIfAbsent(key.database(), name -> new LinkedHashMap<>())
                    .put(key.contract() + " " + key.mode(), line);
            objections.addAll(thresholds.objections(key.contract(), line));
            observed += line.predicted().total();
        }
        String verdict = observed == 0 ? "NO-DATA" : objections.isEmpty() ? "GO" : "NO-GO";
        return new RolloutReport(percentage, verdict, objections, databases);
    }

    /**
     * One method's contract.
     *
     * @param mode its mode
     * @param reads how many units there were, enforced and observed
     * @param baselineReplicaShare which share of all of them ran on replicas, where observed ones never do; null without any
     * @param predicted what would have become of the observed ones
     * @param predictedReplicaShare which share of the observed ones would have run on replicas; null without any
     * @param measured what became of the enforced ones
     * @param measuredReplicaShare which share of the enforced ones ran on replicas; null without any
     * @param writes auto-commit statements that changed data, which a replica would refuse
     */
    public record Line(
            FreshnessMode mode,
            long reads,
            @Nullable Double baselineReplicaShare,
            Reads predicted,
            @Nullable Double predictedReplicaShare,
            Reads measured,
            @Nullable Double measuredReplicaShare,
            long writes) {

        private static Line of(FreshnessMode mode, ContractCounts.Counts counts) {
            Reads predicted = counts.observed();
            Reads measured = counts.enforced();
            long all = predicted.total() + measured.total();
            return new Line(
                    mode,
                    all,
                    all == 0 ? null : (double) measured.onReplicas() / all,
                    predicted,
                    predicted.replicaShare(),
                    measured,
                    measured.replicaShare(),
                    counts.writes());
        }
    }

    /**
     * What became of a number of units.
     *
     * @param replica those on a replica at once
     * @param replicaAfterWait those on a replica after a wait
     * @param writer those on the writer for another reason than the want of a replica
     * @param writerFallback those on the writer for want of a replica
     * @param refused those that got an exception
     */
    public record Reads(long replica, long replicaAfterWait, long writer, long writerFallback, long refused) {

        long onReplicas() {
            return this.replica + this.replicaAfterWait;
        }

        long onWriter() {
            return this.writer + this.writerFallback;
        }

        /**
         * All of them.
         *
         * @return the sum
         */
        public long total() {
            return onReplicas() + onWriter() + this.refused;
        }

        @Nullable
        Double replicaShare() {
            return total() == 0 ? null : (double) onReplicas() / total();
        }
    }
}
