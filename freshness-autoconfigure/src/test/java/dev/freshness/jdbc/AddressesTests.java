/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nothing that may be a secret is left of a URL. */
class AddressesTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://host:5432/shop | jdbc:postgresql://host:5432/shop",
                "jdbc:postgresql://one:5432,two:5433/shop?targetServerType=any | jdbc:postgresql://one:5432,two:5433/shop",
                "jdbc:postgresql://host/shop?user=app&password=s3cret | jdbc:postgresql://host/shop",
                "jdbc:postgresql://host/shop?user=me@corp&password=s3c@ret | jdbc:postgresql://host/shop",
                "jdbc:postgresql://app:s3cret@host/shop | jdbc:postgresql://host/shop",
                "jdbc:postgresql://app:s3c/r@et@host/shop?ssl=true | jdbc:postgresql://host/shop",
                "jdbc:postgresql://app:s3c?ret@host/shop | jdbc:postgresql://(not shown)",
                "jdbc:postgresql:shop | jdbc:postgresql:shop",
                "jdbc:postgresql://[::1]:5432/shop | jdbc:postgresql://[::1]:5432/shop",
                "jdbc:aws-wrapper:postgresql://host/shop?wrapperPlugins=iam | jdbc:aws-wrapper:postgresql://host/shop",
                "jdbc:tc:postgresql:17:///shop?TC_DAEMON=true | jdbc:tc:postgresql:17:///shop",
                "s3cret | (not shown)"
            })
    void onlyWhereItLeadsIsLeft(String url, String address) {
        assertThat(Addresses.of(url)).isEqualTo(address);
    }
}
