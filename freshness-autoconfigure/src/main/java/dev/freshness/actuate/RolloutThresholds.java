/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.actuate;

import dev.freshness.FreshnessMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What enforcing contracts may come to at most.
 *
 * @param maxWriterShare which share of the reads under one contract may be on the writer, from 0 to 1; contracts that ask for
 *     the writer do not count
 * @param maxRefusals how many reads under one contract may be refused, at least 0
 */
public record RolloutThresholds(double maxWriterShare, long maxRefusals) {

    List<String> objections(String contract, RolloutReport.Line line) {
        List<String> objections = new ArrayList<>();
        RolloutReport.Reads reads = line.predicted();
        long total = reads.total();
        if (total > 0
                && line.mode() != FreshnessMode.AUTHORITATIVE_NOW
                && reads.onWriter() > this.maxWriterShare * total) {
            objections.add(String.format(
                    Locale.ROOT,
                    "%s: %.1f%% of its reads would be on the writer, more than freshness.rollout.max-writer-share",
                    contract,
                    100.0 * reads.onWriter() / total));
        }
        if (reads.refused() > this.maxRefusals) {
            objections.add(contract + ": " + reads.refused()
                    + " of its reads would be refused, more than freshness.rollout.max-refusals");
        }
        if (line.writes() > 0) {
            objections.add(contract + ": " + line.writes() + " statements changed data, which a replica would refuse");
        }
        return objections;
    }
}
