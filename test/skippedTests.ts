import type { Reporter, TestModule } from "vitest/node";

/** Counts the skipped tests at the end of a run by what they need (needing.ts). */
export default class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        const note = result.state === "skipped" ? result.note : undefined;
        const reason = note ?? /\[(needs [^\]]*)\]/.exec(test.fullName)?.[1] ?? `no reason given in ${module.moduleId}`;
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    for (const [reason, count] of counts)
      console.info(`skipped: ${count} ${count === 1 ? "test" : "tests"}, ${reason}`);
  }
}
