/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessOperations;
import dev.freshness.OnUnmet;
import dev.freshness.StaleReadNotAllowedException;
import dev.freshness.test.ReplicatedPostgresTest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What a trace shows of reads: one observation for each transaction or scope, with what the decision was made of. */
@ReplicatedPostgresTest
@SpringBootTest(
        classes = ReplicatedApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = ReplicatedApplication.WITHOUT_JPA)
@Import(ReadObservationTests.Beans.class)
class ReadObservationTests extends ReplicationBed {

    @Autowired
    Observed observed;

    @Autowired
    ObservationRegistry registry;

    @Autowired
    FreshnessOperations operations;

    @Autowired
    JdbcClient jdbc;

    @BeforeEach
    void forget() {
        this.observed.stopped.clear();
    }

    @Test
    void aTransactionIsOneObservationWithWhatItsDecisionWasMadeOf() {
        pauseReplicas();
        Observation request = Observation.start("request", this.registry);
        try (Observation.Scope scope = request.openScope()) {
            assertThat(scope).isNotNull();
            request(() -> {
                this.items.write(1, "new");
                return this.items.readYourWrites(1);
            });
        }
        assertThat(this.observed.stopped).hasSize(1);
        Observation.Context read = this.observed.stopped.get(0);
        assertThat(read.getParentObservation()).isEqualTo(request);
        assertThat(low(read, "mode")).isEqualTo("read_your_writes");
        assertThat(low(read, "outcome")).isEqualTo("writer_fallback");
        assertThat(low(read, "reason")).isEqualTo("behind-floor");
        assertThat(low(read, "node")).isEqualTo("writer");
        assertThat(low(read, "met")).isEqualTo("true");
        assertThat(low(read, "database")).isEqualTo("default");
        assertThat(high(read, "required.position")).matches("[0-9A-F]+/[0-9A-F]+");
        assertThat(high(read, "observed.position")).matches("[0-9A-F]+/[0-9A-F]+");
        assertThat(high(read, "observed.age")).matches("[0-9]+ms");
        assertThat(high(read, "contract")).isEqualTo("Items.readYourWrites");
    }

    @Test
    void aScopeWithoutTransactionIsOneObservationAndAnotherWhereItMoves() {
        request(() -> this.operations.read(this.operations.contract(FreshnessMode.EVENTUAL), () -> {
            String node = "";
            for (int i = 0; i < 5; i++) {
                node = low(one(Where.read(this.jdbc, 1)), "node");
            }
            assertThat(node).startsWith("replica-");
            this.database
                    .takenOut()
                    .takeOut(
                            Integer.parseInt(node.substring(8)) - 1,
                            "a test",
                            java.time.Duration.ofMinutes(1),
                            System.nanoTime());
            for (int i = 0; i < 5; i++) {
                assertOnReplica(Where.read(this.jdbc, 1));
            }
            assertThat(this.observed.stopped).hasSize(2);
            assertThat(low(this.observed.stopped.get(1), "node"))
                    .startsWith("replica-")
                    .isNotEqualTo(node);
            this.database.takenOut().putBack(Integer.parseInt(node.substring(8)) - 1, System.nanoTime());
            return 0;
        }));
    }

    private Observation.Context one(Where where) {
        assertOnReplica(where);
        assertThat(this.observed.stopped).hasSize(1);
        return this.observed.stopped.get(0);
    }

    @Test
    void aRefusalIsAnErrorAndTheContractNotMet() {
        pauseReplicas();
        assertThatThrownBy(() -> request(() -> {
                    this.items.write(1, "new");
                    return this.operations.read(
                            this.operations
                                    .contract(FreshnessMode.READ_YOUR_WRITES)
                                    .withOnUnmet(OnUnmet.REJECT),
                            () -> Where.read(this.jdbc, 1));
                }))
                .isInstanceOf(StaleReadNotAllowedException.class);
        assertThat(this.observed.stopped).hasSize(1);
        Observation.Context read = this.observed.stopped.get(0);
        assertThat(read.getError()).isInstanceOf(StaleReadNotAllowedException.class);
        assertThat(low(read, "outcome")).isEqualTo("rejected");
        assertThat(low(read, "met")).isEqualTo("false");
        assertThat(low(read, "node")).isEqualTo("none");
    }

    @Test
    void unmarkedWorkIsNotObserved() {
        request(() -> this.items.unmarked(1));
        request(() -> {
            this.items.write(1, "new");
            return 0;
        });
        assertThat(this.observed.stopped).isEmpty();
    }

    private static String low(Observation.Context context, String key) {
        return context.getLowCardinalityKeyValue(key).getValue();
    }

    private static String high(Observation.Context context, String key) {
        return context.getHighCardinalityKeyValue(key).getValue();
    }

    /** Keeps the observations of reads that have ended. */
    static final class Observed implements ObservationHandler<Observation.Context> {

        final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();

        @Override
        public void onStop(Observation.Context context) {
            if (context.getName().equals("freshness.read")) {
                this.stopped.add(context);
            }
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Observed observed() {
            return new Observed();
        }
    }
}
