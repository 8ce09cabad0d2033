/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;

/** The house: who may import whom, and what each floor may know of. */
@AnalyzeClasses(packages = "dev.freshness", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

    /** Ground floor first: imports only go down. */
    private static final List<String> FLOORS = List.of(
            "dev.freshness.wal",
            "dev.freshness",
            "dev.freshness.topology",
            "dev.freshness.session",
            "dev.freshness.routing",
            "dev.freshness.token",
            "dev.freshness.monitor",
            "dev.freshness.jdbc",
            "dev.freshness.handover",
            "dev.freshness.aop",
            "dev.freshness.jpa",
            "dev.freshness.web",
            "dev.freshness.actuate",
            "dev.freshness.autoconfigure");

    @ArchTest
    static void importsOnlyGoDown(com.tngtech.archunit.core.domain.JavaClasses classes) {
        for (int floor = 0; floor < FLOORS.size(); floor++) {
            String[] above = FLOORS.subList(floor + 1, FLOORS.size()).toArray(String[]::new);
            if (above.length > 0) {
                noClasses()
                        .that()
                        .resideInAPackage(FLOORS.get(floor))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(above)
                        .check(classes);
            }
        }
    }

    @ArchTest
    static final ArchRule everyClassIsOnAFloor = classes()
            .that()
            .resideOutsideOfPackage("dev.freshness.test..")
            .should()
            .resideInAnyPackage(FLOORS.toArray(String[]::new));

    @ArchTest
    static void pureJava(com.tngtech.archunit.core.domain.JavaClasses classes) {
        for (String pure : List.of(
                "dev.freshness.wal",
                "dev.freshness.topology",
                "dev.freshness.session",
                "dev.freshness.routing",
                "dev.freshness.token")) {
            List<String> allowed = new ArrayList<>(FLOORS.subList(0, FLOORS.indexOf(pure) + 1));
            allowed.add("java..");
            allowed.add("javax.crypto..");
            allowed.add("org.jspecify.annotations");
            classes()
                    .that()
                    .resideInAPackage(pure)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(allowed.toArray(String[]::new))
                    .andShould()
                    .onlyDependOnClassesThat()
                    .resideOutsideOfPackages("java.sql", "javax.sql")
                    .check(classes);
        }
    }

    @ArchTest
    static final ArchRule theMonitorKnowsNoSpring = noClasses()
            .that()
            .resideInAPackage("dev.freshness.monitor")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework..");

    @ArchTest
    static final ArchRule noJdkProxies =
            noClasses().should().dependOnClassesThat().areAssignableTo(Proxy.class);

    @ArchTest
    static final ArchRule packagesAreNullMarked =
            classes().that().haveSimpleName("package-info").should().beAnnotatedWith(NullMarked.class);
}
