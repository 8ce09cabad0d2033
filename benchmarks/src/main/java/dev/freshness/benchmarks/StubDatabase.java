/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.benchmarks;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * A database that does nothing, so that only what lies above the driver is measured. Its statement and its rows are made
 * once for each connection; what calls on them cost is part of every figure alike.
 */
final class StubDatabase extends AbstractDataSource {

    static DataSource create() {
        return new StubDatabase();
    }

    @Override
    public Connection getConnection() {
        ResultSet rows = stub(ResultSet.class, null);
        PreparedStatement statement = stub(PreparedStatement.class, rows);
        return stub(Connection.class, statement);
    }

    @Override
    public Connection getConnection(String username, String password) {
        return getConnection();
    }

    private static <T> T stub(Class<T> type, @Nullable Object child) {
        boolean[] autoCommit = {true};
        return type.cast(Proxy.newProxyInstance(
                StubDatabase.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer(method, arguments, child, autoCommit)));
    }

    private static @Nullable Object answer(
            Method method, @Nullable Object @Nullable [] arguments, @Nullable Object child, boolean[] autoCommit) {
        return switch (method.getName()) {
            case "prepareStatement", "executeQuery" -> child;
            case "getAutoCommit" -> autoCommit[0];
            case "setAutoCommit" -> {
                autoCommit[0] = arguments != null && Boolean.TRUE.equals(arguments[0]);
                yield null;
            }
            case "next", "isValid" -> true;
            case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
            default -> {
                Class<?> type = method.getReturnType();
                yield type == boolean.class ? (Object) false : type == int.class ? (Object) 0 : null;
            }
        };
    }
}
