/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.test.ReplicatedPostgresTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/**
 * H10: canceling statement due to conflict with recovery. A REPEATABLE READ method reads twice on the only replica, which
 * removes the rows of its snapshot in between.
 */
@ReplicatedPostgresTest(replicas = 1, serverSettings = ConflictBed.SETTING)
@Import(Reports.class)
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
class FieldCaseH10Tests extends ConflictBed {

    @Autowired
    Reports reports;

    @Test
    void theMethodRunsAgainOnTheWriterAndNobodyIsBlamed() {
        List<Where> firsts = new ArrayList<>();
        this.reports.prepare((run, first) -> {
            firsts.add(first);
            assertThat(this.jdbc
                            .sql("select current_setting('transaction_isolation') || ' ' ||"
                                    + " current_setting('transaction_read_only')")
                            .query(String.class)
                            .single())
                    .isEqualTo("repeatable read on");
            if (run == 1) {
                endIdle(first.pid(), Kind.SNAPSHOT);
            }
        });

        List<Where> answer = this.reports.twice(1);

        // The whole of it, from its first read on, in one transaction on the writer.
        assertThat(firsts).hasSize(2);
        assertOnReplica(firsts.get(0));
        assertThat(answer).allSatisfy(this::assertOnWriter);
        assertThat(answer.get(0)).isEqualTo(firsts.get(1));
        assertThat(answer.get(1).pid()).isEqualTo(answer.get(0).pid());
        assertCounted(0, 1);
        assertReplicaStaysInRotation();
    }
}
