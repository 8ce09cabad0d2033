/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.handover;

import org.springframework.core.task.TaskDecorator;

/**
 * Gives tasks of Spring's executors the session of whoever submits them.
 *
 * <p>Stateless and thread-safe.
 */
public final class SessionTaskDecorator implements TaskDecorator {

    /** Creates the decorator. */
    public SessionTaskDecorator() {}

    @Override
    public Runnable decorate(Runnable task) {
        return SessionHandOver.wrap(task);
    }
}
