/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.routing;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Draws one of several replicas, given as bit sets. Knows nothing of contracts: whoever draws has to see that what was
 * drawn will do.
 *
 * <p>Two that are drawn at random are enough to keep away from the busiest, and cost the same however many there are.
 *
 * <p>Thread-safe and free of locks.
 */
final class ReplicaDraw {

    static final int NOTHING = -1;

    private static final int SIZE = Long.SIZE;

    private final ReplicaChoice.Strategy strategy;

    private final int[] weights = new int[SIZE];

    private final boolean even;

    private final long sameZone;

    private final ReplicaLoads loads;

    private final AtomicInteger turn = new AtomicInteger();

    /** Turns among replicas known to do are counted apart, or whoever stands behind one that will not gets its turns too. */
    private final AtomicInteger turnOfKnown = new AtomicInteger();

    ReplicaDraw(ReplicaChoice choice, ReplicaLoads loads) {
        this.strategy = choice.strategy();
        for (int i = 0; i < SIZE; i++) {
            this.weights[i] = i < choice.weights().size() ? choice.weights().get(i) : 1;
        }
        this.even = choice.weights().stream().allMatch(weight -> weight == 1);
        this.sameZone = choice.sameZone();
        this.loads = loads;
    }

    boolean isFull(int replica) {
        return this.loads.isFull(replica);
    }

    /**
     * The part of some replicas to draw from: the first of these that is not empty.
     *
     * @param candidates the replicas, not empty
     * @param spared those that other reads cannot use, to be taken first within a zone
     */
    long best(long candidates, long spared) {
        long near = candidates & this.sameZone;
        long group = near != 0 ? near : candidates;
        long lagging = group & spared;
        return lagging != 0 ? lagging : group;
    }

    /** Draws one by the strategy, by weight. */
    int first(long group) {
        return first(group, this.turn);
    }

    private int first(long group, AtomicInteger turns) {
        if (this.strategy == ReplicaChoice.Strategy.LEAST_LOADED) {
            return random(group);
        }
        return at(group, Math.floorMod(turns.getAndIncrement(), totalOf(group)));
    }

    /** Draws one to compare the first with; nothing if the strategy does not compare or there is no other. */
    int second(long group, int first) {
        long others = group & ~(1L << first);
        return others == 0 || this.strategy == ReplicaChoice.Strategy.ROUND_ROBIN ? NOTHING : random(others);
    }

    /** Draws one of replicas all of which will do. */
    int any(long group, long now) {
        int first = first(group, this.turnOfKnown);
        int second = second(group, first);
        return second == NOTHING ? first : lessLoaded(first, second, now);
    }

    /**
     * The less loaded of two by weight. Only one that has half the load or less comes before the first: latencies always
     * differ, by the connections that had to be opened if by nothing else, and all traffic would follow whichever is ahead
     * at the moment.
     */
    int lessLoaded(int first, int second, long now) {
        long one = this.loads.load(first, now) * this.weights[second];
        long other = this.loads.load(second, now) * this.weights[first];
        return other <= one >> 1 && other < one ? second : first;
    }

    /** The least loaded of some replicas by weight. */
    int leastLoaded(long group, long now) {
        int least = Long.numberOfTrailingZeros(group);
        long load = this.loads.load(least, now);
        for (long rest = group & group - 1; rest != 0; rest &= rest - 1) {
            int replica = Long.numberOfTrailingZeros(rest);
            long other = this.loads.load(replica, now);
            if (other * this.weights[least] < load * this.weights[replica]) {
                least = replica;
                load = other;
            }
        }
        return least;
    }

    private int random(long group) {
        if ((group & group - 1) == 0) {
            return Long.numberOfTrailingZeros(group);
        }
        return at(group, ThreadLocalRandom.current().nextInt(totalOf(group)));
    }

    private int totalOf(long group) {
        if (this.even) {
            return Long.bitCount(group);
        }
        int total = 0;
        for (long rest = group; rest != 0; rest &= rest - 1) {
            total += this.weights[Long.numberOfTrailingZeros(rest)];
        }
        return total;
    }

    /** The replica at a place in the row in which each stands as often as its weight says. */
    private int at(long group, int place) {
        if (this.even) {
            return nth(group, place);
        }
        int left = place;
        long rest = group;
        while (true) {
            int replica = Long.numberOfTrailingZeros(rest);
            left -= this.weights[replica];
            if (left < 0) {
                return replica;
            }
            rest &= rest - 1;
        }
    }

    /**
     * The index of a set bit, by halves: as quick for 64 as for 2. Without branches, which nobody could foretell where the
     * place is random.
     */
    private static int nth(long set, int place) {
        int index = 0;
        int left = place;
        for (int width = SIZE / 2; width > 0; width /= 2) {
            int below = Long.bitCount(set >>> index & (1L << width) - 1);
            int beyond = ~(left - below >> Integer.SIZE - 1);
            left -= below & beyond;
            index += width & beyond;
        }
        return index;
    }
}
