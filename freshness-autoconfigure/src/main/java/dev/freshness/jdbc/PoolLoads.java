/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.freshness.routing.ReplicaLoads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loads of the replicas' pools, for the router.
 *
 * <p>What it does when it cannot know: a pool that is not HikariCP's is never full.
 *
 * <p>Thread-safe and free of locks. Does not own the pools.
 */
final class PoolLoads implements ReplicaLoads {

    private final NodeLoad[] loads;

    private final @Nullable HikariDataSource[] pools;

    PoolLoads(List<NodePool> replicas) {
        this.loads = replicas.stream().map(NodePool::load).toArray(NodeLoad[]::new);
        this.pools = new HikariDataSource[replicas.size()];
        for (int i = 0; i < this.pools.length; i++) {
            this.pools[i] = replicas.get(i).hikari();
        }
    }

    /**
     * The replicas that will fare no better than one which gave no connection: that one, and if its pool is full, all that
     * are full. Nobody waits for one pool after the other.
     *
     * @return one bit each
     */
    long alike(int replica) {
        long alike = 1L << replica;
        if (isFull(replica)) {
            for (int i = 0; i < this.pools.length; i++) {
                alike |= isFull(i) ? 1L << i : 0;
            }
        }
        return alike;
    }

    @Override
    public long load(int replica, long now) {
        return this.loads[replica].load(now);
    }

    @Override
    public boolean isFull(int replica) {
        HikariDataSource pool = this.pools[replica];
        if (pool == null) {
            return false;
        }
        // Asked for each time, since it can be changed at run time; below 1 until the pool has started.
        int size = pool.getMaximumPoolSize();
        return size > 0 && this.loads[replica].inFlight() >= size;
    }
}
