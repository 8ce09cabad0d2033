/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.sample.profiles;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/profiles/{id}")
class ProfileController {

    private static final String PERMISSION = "[a-z][a-z0-9.:-]{0,49}";

    private final ProfileService profiles;

    ProfileController(ProfileService profiles) {
        this.profiles = profiles;
    }

    /** Writes in one transaction and reads in the next: the read must see the write, wherever it runs. */
    @PutMapping
    ProfileView save(@PathVariable long id, @Valid @RequestBody ProfileRequest request) {
        profiles.save(id, request.displayName());
        return profiles.profile(id);
    }

    @GetMapping
    ProfileView profile(@PathVariable long id) {
        return profiles.profile(id);
    }

    @GetMapping("/permissions")
    List<String> permissions(@PathVariable long id) {
        return profiles.permissions(id);
    }

    @PutMapping("/permissions/{permission}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void grant(@PathVariable long id, @PathVariable @Pattern(regexp = PERMISSION) String permission) {
        profiles.grant(id, permission);
    }

    @DeleteMapping("/permissions/{permission}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable long id, @PathVariable @Pattern(regexp = PERMISSION) String permission) {
        profiles.revoke(id, permission);
    }
}
