/*
 * Copyright 2026 the Freshness authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.freshness.aop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.freshness.Freshness;
import dev.freshness.FreshnessMode;
import dev.freshness.FreshnessScope;
import dev.freshness.OnUnmet;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;

/** An annotation that no call can reach is not ignored without a word. */
@ExtendWith(OutputCaptureExtension.class)
class UnreachableMethodsTests {

    private final FreshnessAdvisor advisor = new FreshnessAdvisor(
            () -> new ContractDefaults(Duration.ofSeconds(30), Duration.ofMillis(50), OnUnmet.WRITER, true),
            () -> ContractOverrides.NONE,
            text -> text,
            () -> ContractBoundary.NONE,
            AnnotationTransactionAttributeSource::new);

    private static List<String> warnings(CapturedOutput output) {
        return output.toString()
                .lines()
                .filter(line -> line.contains("WARN") && line.contains("@Freshness"))
                .toList();
    }

    @Test
    void eachUnreachableMethodIsNamedOnceHoweverManyBeansHaveIt(CapturedOutput output) {
        DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
        creator.setProxyTargetClass(true);
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.registerBean(FreshnessAdvisor.class, () -> this.advisor);
            context.registerBean(DefaultAdvisorAutoProxyCreator.class, () -> creator);
            context.registerBean("one", Service.class);
            context.registerBean("two", Service.class);
            context.registerBean("sub", Sub.class);
            context.refresh();
            assertThat(AopUtils.isCglibProxy(context.getBean("one"))).isTrue();
        }
        String service = "@Freshness on " + Service.class.getName();
        assertThat(warnings(output))
                .hasSize(4)
                .anyMatch(line -> line.contains(service + ".hidden is ignored: it is private"))
                .anyMatch(line -> line.contains(service + ".ofClass is ignored: it is static"))
                .anyMatch(line -> line.contains(service + ".last is ignored: it is final"))
                .anyMatch(line -> line.contains(
                        "@FreshnessScope on " + Service.class.getName() + ".write is ignored: it is final"));
    }

    @Test
    void methodsThatAProxyReachesAreNoNews(CapturedOutput output) {
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Reader.class}, (self, method, arguments) -> null);
        assertThat(AopUtils.canApply((Advisor) this.advisor, proxy.getClass())).isTrue();
        assertThat(AopUtils.canApply((Advisor) this.advisor, Reading.class)).isTrue();
        assertThat(AopUtils.canApply((Advisor) this.advisor, Marked.class)).isTrue();
        assertThat(warnings(output)).isEmpty();
    }

    static class Service {

        @Freshness(FreshnessMode.EVENTUAL)
        public void reached() {
            hidden();
        }

        @Freshness(FreshnessMode.EVENTUAL)
        private void hidden() {}

        @Freshness(FreshnessMode.EVENTUAL)
        static void ofClass() {}

        @Freshness(FreshnessMode.EVENTUAL)
        public final void last() {}

        @FreshnessScope("'everything'")
        public final void write() {}
    }

    static class Sub extends Service {}

    interface Reader {

        @Freshness(FreshnessMode.EVENTUAL)
        void read();

        void list();
    }

    /** Called through a proxy of its interface, if it gets one. */
    static class Reading implements Reader {

        @Override
        public final void read() {}

        @Override
        @Freshness(FreshnessMode.EVENTUAL)
        public final void list() {}
    }

    /** What is for all methods says nothing of helpers. */
    @Freshness(FreshnessMode.EVENTUAL)
    static class Marked {

        public void read() {
            helper();
        }

        private void helper() {}
    }
}
