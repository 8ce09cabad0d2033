/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.integration.slices;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.OnUnmet;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** A service of a user's project. */
@Service
class ProfileService {

    private final Profiles profiles;

    ProfileService(Profiles profiles) {
        this.profiles = profiles;
    }

    @Transactional
    public void save(int id, String name) {
        this.profiles.save(new Profile(id, name));
    }

    @Freshness(value = FreshnessMode.READ_YOUR_WRITES, onUnmet = OnUnmet.REJECT)
    @Transactional(readOnly = true)
    public String name(int id) {
        return this.profiles.ownName(id).orElse("none");
    }
}
