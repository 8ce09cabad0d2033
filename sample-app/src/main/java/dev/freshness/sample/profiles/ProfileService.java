/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.profiles;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.sample.NotFoundException;
import java.util.List;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class ProfileService {

    private final ProfileRepository profiles;

    ProfileService(ProfileRepository profiles) {
        this.profiles = profiles;
    }

    /** Creates or renames. No contract: writes go to the writer. */
    @Transactional
    public void save(long id, String displayName) {
        profiles.findById(id)
                .ifPresentOrElse(
                        profile -> profile.rename(displayName), () -> profiles.save(new Profile(id, displayName)));
    }

    /** Who has just changed a profile must not see the old one. */
    @Freshness(FreshnessMode.READ_YOUR_WRITES)
    @Transactional(readOnly = true)
    public ProfileView profile(long id) {
        return profiles.findViewById(id).orElseThrow(() -> new NotFoundException("profile", id));
    }

    @Transactional
    public void grant(long id, String permission) {
        load(id).grant(permission);
    }

    @Transactional
    public void revoke(long id, String permission) {
        load(id).revoke(permission);
    }

    /** What was revoked must not be allowed for another moment. */
    @Freshness(FreshnessMode.AUTHORITATIVE_NOW)
    @Transactional(readOnly = true)
    public List<String> permissions(long id) {
        if (!profiles.existsById(id)) {
            throw new NotFoundException("profile", id);
        }
        return profiles.findPermissions(id);
    }

    private Profile load(long id) {
        return profiles.findById(id).orElseThrow(() -> new NotFoundException("profile", id));
    }
}
