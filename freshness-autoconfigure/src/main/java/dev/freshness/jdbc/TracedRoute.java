/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import dev.freshness.FreshnessContract;
import dev.freshness.FreshnessVerdict;
import dev.freshness.routing.RoutingListener;
import dev.freshness.session.ThreadScope;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Tells whoever traces of the routing of transactions and of scopes: of a transaction once, of a contract's scope without one
 * with its first statement and where it moves to another node. Of no other statement.
 */
final class TracedRoute {

    private TracedRoute() {}

    static Unit ofTransaction(UnitRouting routing, FreshnessContract contract, @Nullable ThreadScope scope, Route route)
            throws SQLException {
        return routing.traces() ? traced(routing, contract, scope, route) : route.decide();
    }

    static Unit ofStatement(UnitRouting routing, FreshnessContract contract, ThreadScope scope, Route route)
            throws SQLException {
        if (!routing.traces()) {
            return route.decide();
        }
        FreshnessVerdict before = scope.verdict();
        if (before == null || before.node() == null) {
            return traced(routing, contract, scope, route);
        }
        Unit unit = route.decide();
        if (!unit.lease().nodeName().equals(before.node())) {
            end(routing.begins(contract), scope, null);
        }
        return unit;
    }

    private static Unit traced(
            UnitRouting routing, FreshnessContract contract, @Nullable ThreadScope scope, Route route)
            throws SQLException {
        RoutingListener.Trace trace = routing.begins(contract);
        try {
            Unit unit = route.decide();
            end(trace, scope, null);
            return unit;
        } catch (SQLException | RuntimeException ex) {
            end(trace, scope, ex);
            throw ex;
        }
    }

    private static void end(
            RoutingListener.@Nullable Trace trace, @Nullable ThreadScope scope, @Nullable Exception failure) {
        if (trace != null) {
            trace.ends(scope == null ? null : scope.verdict(), failure);
        }
    }

    /** Decides and borrows. */
    @FunctionalInterface
    interface Route {

        Unit decide() throws SQLException;
    }
}
